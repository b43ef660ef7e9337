import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { serviceRoutes, EventCopy } from '@confetti/contracts'
import type { Handlers, RouteCall } from '@confetti/service-kit'
import { toFeedQuery } from '../feed/feed.ts'
import type { Library } from './library.ts'

type Routes = typeof serviceRoutes.uploads

const deleted = { message: 'Upload deleted successfully' }
const renamedMessage = 'Uploads renamed successfully'

export const libraryRoutes = (library: Library) => {
  const list = ({
    event,
    query,
    request,
  }: Pick<RouteCall<Routes['listEventUploads'], EventCopy>, 'event' | 'query' | 'request'>) =>
    library.list(event, toFeedQuery(query, request))
  const setVisibility = async ({
    event,
    body,
  }: Pick<RouteCall<Routes['setUploadsVisibility'], EventCopy>, 'event' | 'body'>) => ({
    message: 'Uploads changed successfully',
    uploadIds: await library.setVisibility(event, body),
  })
  const renameCredit = async ({
    event,
    body,
  }: Pick<RouteCall<Routes['renameCredit'], EventCopy>, 'event' | 'body'>) => ({
    message: renamedMessage,
    renamed: await library.renameCredit(event, body),
  })
  const downloadConsents = async ({
    event,
    request,
    response,
  }: Pick<RouteCall<Routes['downloadEventConsents'], EventCopy>, 'event' | 'request' | 'response'>) => {
    const parts = library.listConsents(event)
    // Before the head: what fails so far is answered by an error.
    const first = await parts.next()
    const sendAll = async function* () {
      if (!first.done) yield first.value
      yield* parts
    }
    response.writeHead(200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="consents.csv"',
      'Cache-Control': 'no-store',
    })
    if (request.method === 'HEAD') response.end()
    else await pipeline(Readable.from(sendAll()), response)
    return undefined
  }
  return {
    downloadEventConsents: downloadConsents,
    downloadMyEventConsents: downloadConsents,
    listEventUploads: list,
    listMyEventUploads: list,
    setUploadsVisibility: setVisibility,
    setMyUploadsVisibility: setVisibility,
    renameCredit,
    renameMyCredit: renameCredit,
    deleteUpload: async ({ params }) => {
      await library.deleteUpload(params.uploadId)
      return deleted
    },
    deleteMyUpload: async ({ params, event }) => {
      await library.deleteUpload(params.uploadId, event)
      return deleted
    },
    listGuestUploads: ({ query, guestId, request }) =>
      library.listOfGuest(guestId, toFeedQuery(query, request)),
    renameGuestUploads: async ({ body, guestId }) => ({
      message: renamedMessage,
      renamed: await library.renameSent(guestId, body),
    }),
    deleteGuestUpload: async ({ params, guestId }) => {
      await library.takeBack(guestId, params.uploadId)
      return deleted
    },
    restoreGuestUpload: async ({ params, guestId }) => ({
      upload: await library.restore(guestId, params.uploadId),
    }),
  } satisfies Partial<Handlers<Routes, EventCopy>>
}
