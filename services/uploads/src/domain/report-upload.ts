import { notFound, type Logger, type RateLimiter } from '@confetti/service-kit'
import type { UploadMetrics } from '../upload-metrics.ts'
import type { FindGallery } from './find-gallery.ts'
import { uploadNotFound } from './rejections.ts'
import type { UploadStore } from './upload.ts'

interface Deps {
  findGallery: FindGallery
  uploads: Pick<UploadStore, 'report'>
  /** Limit how many reports a guest, and all guests at an address, make in an hour. */
  limits: { guests: RateLimiter; addresses: RateLimiter }
  metrics: Pick<UploadMetrics, 'reported'>
  logger: Logger
}

interface Reporter {
  /** Absent without a genuine guest token. */
  guestId: string | undefined
  /** As returned by `addressKey`. */
  address: string
}

/** How many guests must report an upload until it waits for approval. */
const MAX_REPORTS = 3

/**
 * Counts the report of a guest about an upload in the gallery. Throws `notFound` if guests do not see the upload, or if the
 * guest has no token, and `tooManyRequests`.
 */
export const makeReportUpload =
  ({ findGallery, uploads, limits, metrics, logger }: Deps) =>
  async ({ guestId, address }: Reporter, eventId: string, uploadId: string): Promise<void> => {
    const event = await findGallery(eventId)
    if (guestId === undefined)
      throw notFound('Please open the page of the event again, and then report the photo.', {
        code: 'guest_token_missing',
      })
    await limits.guests.consume(guestId)
    await limits.addresses.consume(address)
    const outcome = await uploads.report(event._id, uploadId, { guestId, maxReports: MAX_REPORTS })
    if (outcome === 'not_found') throw uploadNotFound()
    metrics.reported(outcome)
    if (outcome === 'pending')
      logger.info({ uploadId }, 'upload reported by several guests, waits for approval')
  }
export type ReportUpload = ReturnType<typeof makeReportUpload>
