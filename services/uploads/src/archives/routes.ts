import type { serviceRoutes, EventCopy } from '@confetti/contracts'
import { addressKey, type Handlers, type RouteCall } from '@confetti/service-kit'
import type { Archives } from './archives.ts'
import type { createDownload } from './download.ts'

type Routes = typeof serviceRoutes.uploads

export const archiveRoutes = (archives: Archives, download: ReturnType<typeof createDownload>) => {
  const create = ({
    event,
    body,
    baseUrl,
  }: Pick<RouteCall<Routes['createEventArchive'], EventCopy>, 'event' | 'body' | 'baseUrl'>) =>
    archives.create(event, body, baseUrl)
  return {
    createEventArchive: create,
    createMyEventArchive: create,
    createGalleryArchive: {
      check: ({ params }) => archives.getEvent(params.eventId),
      handle: ({ params, body, guestId, address, baseUrl }) =>
        archives.createOfCopies(params.eventId, body, { guestId, address: addressKey(address), baseUrl }),
    },
    downloadArchive: async ({ params, request, response }) => {
      const { token, filename } = params
      await download({ archive: await archives.find(token, filename), filename }, request, response)
      return undefined
    },
  } satisfies Partial<Handlers<Routes, EventCopy>>
}
