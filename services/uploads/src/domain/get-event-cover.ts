import { notFound, type Clock } from '@confetti/service-kit'
import type { FindEvent } from './find-event.ts'
import type { ReadLinks } from './list-event-uploads.ts'
import type { StoredUpload, UploadStore } from './upload.ts'

interface Deps {
  findEvent: FindEvent
  uploads: Pick<UploadStore, 'findReady'>
  createReadLinks: (upload: StoredUpload, now: Date) => ReadLinks
  clock: Clock
}

/** A link to the preview of the photo that an event has as its cover. Throws `notFound` if there is none. */
export const makeGetEventCover =
  ({ findEvent, uploads, createReadLinks, clock }: Deps) =>
  async (eventId: string): Promise<{ url: string; width: number; height: number }> => {
    const { _id, cover } = await findEvent(eventId)
    const upload = cover && (await uploads.findReady(_id, cover))
    if (!upload || !upload.width || !upload.height)
      throw notFound('This event has no cover.', { code: 'no_cover' })
    return { url: createReadLinks(upload, clock()).previewUrl, width: upload.width, height: upload.height }
  }
export type GetEventCover = ReturnType<typeof makeGetEventCover>
