import type { Clock } from '@confetti/service-kit'
import { forEachOverdue, MAX_REQUESTS, nextDueAt } from './overdue.ts'
import type { UploadStore } from './upload.ts'

interface Deps {
  uploads: Pick<UploadStore, 'listOverdueRenditions' | 'requestRendition'>
  clock: Clock
  /** How long after the first request a rendition is overdue; twice as long after each further one. */
  renditionTimeoutMs: number
}

/**
 * Requests the renditions again that videos have waited too long for, as their messages may be lost: with half an hour
 * before the first request, the last one is after 32 hours. Nothing is published of a rendition that has failed, so it is
 * requested as often; the media worker does not make it again. Returns the number of requests. Several replicas can run
 * it at once.
 */
export const makeRequestOverdueRenditions =
  ({ uploads, clock, renditionTimeoutMs }: Deps) =>
  async (): Promise<number> => {
    const now = clock()
    let requested = 0
    await forEachOverdue(
      (limit) => uploads.listOverdueRenditions(now, limit),
      async (upload) => {
        const requests = upload.requests + 1
        const dueAt = requests < MAX_REQUESTS ? nextDueAt(now, renditionTimeoutMs, requests) : undefined
        await uploads.requestRendition(upload, { requestedAt: now, dueAt })
        requested += 1
      },
    )
    return requested
  }
export type RequestOverdueRenditions = ReturnType<typeof makeRequestOverdueRenditions>
