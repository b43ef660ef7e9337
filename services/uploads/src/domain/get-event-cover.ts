import { notFound, type Clock } from '@confetti/service-kit'
import type { FindEvent } from './find-event.ts'
import type { PreviewLinks } from './read-links.ts'
import type { StoredUpload, UploadStore } from './upload.ts'

interface Deps {
  findEvent: FindEvent
  uploads: Pick<UploadStore, 'findVisible'>
  createPreviewLinks: (upload: StoredUpload, now: Date) => PreviewLinks
  clock: Clock
}

/**
 * A link to the preview of the photo that an event has as its cover. Throws `notFound` if there is none that guests can
 * see.
 */
export const makeGetEventCover =
  ({ findEvent, uploads, createPreviewLinks, clock }: Deps) =>
  async (eventId: string): Promise<{ url: string; width: number; height: number }> => {
    const { _id, cover } = await findEvent(eventId)
    const upload = cover && (await uploads.findVisible(_id, cover))
    if (!upload || !upload.width || !upload.height)
      throw notFound('This event has no cover.', { code: 'no_cover' })
    return {
      url: createPreviewLinks(upload, clock()).previewUrl,
      width: upload.width,
      height: upload.height,
    }
  }
export type GetEventCover = ReturnType<typeof makeGetEventCover>
