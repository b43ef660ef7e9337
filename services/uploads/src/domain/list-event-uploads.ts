import type { Upload } from '@confetti/contracts'
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

/** One page of an event's uploads with links to read them. Throws `notFound` for an unknown event. */
export const makeListEventUploads = ({ findEvent, uploads, blobs, clock }: Deps) => {
  const present = (upload: StoredUpload, now: Date): Upload => {
    const { url, thumbnailUrl, previewUrl } = blobs.readLinks(upload, now)
    const pictures = upload.status === 'ready' && { thumbnailUrl, previewUrl }
    return { ...upload, uploadedAt: upload.uploadedAt.toISOString(), url, ...pictures }
  }
  return async (eventId: string, { limit, after }: Asked): Promise<UploadList> => {
    const event = await findEvent(eventId)
    const page = await uploads.list(event._id, { limit, after: after ? positionOf(after) : undefined })
    const now = clock()
    return {
      uploads: page.uploads.map((upload) => present(upload, now)),
      ...(page.next && { nextCursor: cursorOf(page.next) }),
    }
  }
}
export type ListEventUploads = ReturnType<typeof makeListEventUploads>

/** The same for an organiser: somebody else's event is as unknown as none. */
export const makeListMyEventUploads =
  ({ findEvent, listEventUploads }: { findEvent: FindEvent; listEventUploads: ListEventUploads }) =>
  async (organiserId: string, eventId: string, asked: Asked): Promise<UploadList> => {
    const event = await findEvent(eventId)
    if (event.eventFor !== organiserId) throw notFound('Event not found.', { code: 'event_not_found' })
    return listEventUploads(eventId, asked)
  }
export type ListMyEventUploads = ReturnType<typeof makeListMyEventUploads>
