import type { EventSummary, Upload } from '@confetti/contracts'
import { notFound } from '@confetti/service-kit'
import type { BlobStore } from '../storage/blob-store.ts'
import type { StoredUpload, UploadStore } from '../storage/upload-store.ts'
import type { FindEvent } from './find-event.ts'
import { cursorOf, positionOf } from './page.ts'

interface Deps {
  findEvent: FindEvent
  uploads: UploadStore
  blobs: BlobStore
  clock: () => Date
}

export interface UploadList {
  uploads: Upload[]
  nextCursor?: string
}

interface Asked {
  limit?: number | undefined
  after?: string | undefined
}

/** One page of uploads with links to read them. */
const makeListPage = ({ uploads, blobs, clock }: Omit<Deps, 'findEvent'>) => {
  const present = (upload: StoredUpload, now: Date): Upload => {
    const { url, thumbnailUrl, previewUrl } = blobs.readLinks(upload, now)
    const pictures = upload.status === 'ready' && { thumbnailUrl, previewUrl }
    return { ...upload, uploadedAt: upload.uploadedAt.toISOString(), url, ...pictures }
  }
  return async (event: EventSummary, { limit, after }: Asked): Promise<UploadList> => {
    const page = await uploads.list(event._id, { limit, after: after ? positionOf(after) : undefined })
    const now = clock()
    return {
      uploads: page.uploads.map((upload) => present(upload, now)),
      ...(page.next && { nextCursor: cursorOf(page.next) }),
    }
  }
}

/** One page of any event's uploads. Throws `notFound` for an unknown event. */
export const makeListEventUploads = ({ findEvent, ...deps }: Deps) => {
  const listPage = makeListPage(deps)
  return async (eventId: string, asked: Asked): Promise<UploadList> =>
    listPage(await findEvent(eventId), asked)
}
export type ListEventUploads = ReturnType<typeof makeListEventUploads>

/** The same for an organiser: somebody else's event is as unknown as none. */
export const makeListMyEventUploads = ({ findEvent, ...deps }: Deps) => {
  const listPage = makeListPage(deps)
  return async (organiserId: string, eventId: string, asked: Asked): Promise<UploadList> => {
    const event = await findEvent(eventId)
    if (event.eventFor !== organiserId) throw notFound('Event not found.', { code: 'event_not_found' })
    return listPage(event, asked)
  }
}
export type ListMyEventUploads = ReturnType<typeof makeListMyEventUploads>
