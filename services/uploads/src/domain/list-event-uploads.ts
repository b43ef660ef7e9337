import type { Upload, UploadTotal } from '@confetti/contracts'
import { decodeCursor, encodeCursor, type Clock } from '@confetti/service-kit'
import type { StoredEvent } from './event.ts'
import { makeFindOwnEvent, type FindEvent } from './find-event.ts'
import type { ReadLinks } from './read-links.ts'
import type { StoredUpload, UploadStore } from './upload.ts'

interface Deps {
  findEvent: FindEvent
  uploads: Pick<UploadStore, 'list' | 'total'>
  /** Signed links to the original, thumbnail and preview of an upload. */
  createReadLinks: (upload: StoredUpload, now: Date) => ReadLinks
  clock: Clock
}

export interface UploadList {
  uploads: Upload[]
  nextCursor?: string
  /** Of all pages; on the first one only. */
  total?: UploadTotal
}

interface Query {
  limit?: number | undefined
  after?: string | undefined
}

const totalOf = (uploads: readonly StoredUpload[]): UploadTotal => ({
  files: uploads.length,
  guests: new Set(uploads.map(({ photoCredit }) => photoCredit)).size,
  bytes: uploads.reduce((sum, { size }) => sum + size, 0),
})

const makeListPage = ({ uploads, createReadLinks, clock }: Omit<Deps, 'findEvent'>) => {
  const toUpload = (upload: StoredUpload, now: Date): Upload => {
    const { url, ...derivatives } = createReadLinks(upload, now)
    const { hasRendition: _, ...fields } = upload
    return {
      ...fields,
      uploadedAt: upload.uploadedAt.toISOString(),
      url,
      ...(upload.status === 'ready' && derivatives),
    }
  }
  return async (event: StoredEvent, { limit, after }: Query): Promise<UploadList> => {
    const page = await uploads.list(event._id, { limit, after: after ? decodeCursor(after) : undefined })
    const isFirst = !after
    const total = isFirst && (page.next ? await uploads.total(event._id) : totalOf(page.uploads))
    const now = clock()
    return {
      uploads: page.uploads.map((upload) => toUpload(upload, now)),
      ...(page.next && { nextCursor: encodeCursor(page.next) }),
      ...(total && { total }),
    }
  }
}

/** Lists one page of any event's uploads, with links to read them. Throws `notFound` for an unknown event. */
export const makeListEventUploads = ({ findEvent, ...deps }: Deps) => {
  const listPage = makeListPage(deps)
  return async (eventId: string, query: Query): Promise<UploadList> =>
    listPage(await findEvent(eventId), query)
}
export type ListEventUploads = ReturnType<typeof makeListEventUploads>

/** Does the same for an organiser. Throws `notFound` also for another organiser's event. */
export const makeListMyEventUploads = ({ findEvent, ...deps }: Deps) => {
  const listPage = makeListPage(deps)
  const findOwnEvent = makeFindOwnEvent(findEvent)
  return async (organiserId: string, eventId: string, query: Query): Promise<UploadList> =>
    listPage(await findOwnEvent(organiserId, eventId), query)
}
export type ListMyEventUploads = ReturnType<typeof makeListMyEventUploads>
