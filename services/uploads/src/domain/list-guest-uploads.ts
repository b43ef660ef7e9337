import type { GuestUpload } from '@confetti/contracts'
import { decodeCursor, encodeCursor, pickDefined, type Clock } from '@confetti/service-kit'
import type { FindEvent } from './find-event.ts'
import type { PreviewLinks } from './read-links.ts'
import type { StoredUpload, UploadStore } from './upload.ts'

interface Deps {
  findEvent: FindEvent
  uploads: Pick<UploadStore, 'listByGuest'>
  createPreviewLinks: (upload: StoredUpload, now: Date) => PreviewLinks
  clock: Clock
}

interface Query {
  eventId: string
  limit: number
  after?: string | undefined
}

const fields = [
  '_id',
  'originalName',
  'photoCredit',
  'contentType',
  'size',
  'status',
  'visibility',
  'failureReason',
  'width',
  'height',
  'durationSeconds',
] as const satisfies (keyof StoredUpload)[]

/**
 * Lists one page of what a guest has sent to an event, without links to originals. It is empty without a guest. Throws
 * `notFound` for an unknown event.
 */
export const makeListGuestUploads =
  ({ findEvent, uploads, createPreviewLinks, clock }: Deps) =>
  async (
    guestId: string | undefined,
    { eventId, limit, after }: Query,
  ): Promise<{ uploads: GuestUpload[]; nextCursor?: string }> => {
    const request = { limit, after: after ? decodeCursor(after) : undefined }
    const { _id } = await findEvent(eventId)
    if (guestId === undefined) return { uploads: [] }
    const page = await uploads.listByGuest(_id, guestId, request)
    const now = clock()
    return {
      uploads: page.uploads.map((upload) => ({
        ...pickDefined(upload, fields),
        uploadedAt: upload.uploadedAt.toISOString(),
        ...(upload.status === 'ready' && createPreviewLinks(upload, now)),
      })),
      ...(page.next && { nextCursor: encodeCursor(page.next) }),
    }
  }
export type ListGuestUploads = ReturnType<typeof makeListGuestUploads>
