import { ApiError } from '@confetti/api-client'
import { untilPageVisible } from '../polling/until-page-visible.ts'
import { requestWithTimeout } from '../polling/request-with-timeout.ts'
import { wait } from '../upload/wait.ts'
import { fetchOwnUploads, type OwnUploadsPage } from './own-uploads-api.ts'

const POLL_INTERVAL_MS = 4_000
const MAX_INTERVAL_MS = 60_000
/** A file that takes longer shows its state on the next visit. */
const MAX_POLL_MS = 10 * 60_000

interface Options {
  eventId: string
  limit: number
  signal: AbortSignal
  onPage: (page: OwnUploadsPage) => void
  onError: (error: unknown) => void
}

/** Loads a guest's uploads, and again while one of them is being prepared and the page is visible. */
export const followOwnUploads = async ({
  eventId,
  limit,
  signal,
  onPage,
  onError,
}: Options): Promise<void> => {
  const isEnded = (): boolean => signal.aborted
  const endsAt = Date.now() + MAX_POLL_MS
  let isPreparing = false
  let intervalMs = POLL_INTERVAL_MS
  do {
    try {
      const page = await requestWithTimeout(signal, (pageSignal) =>
        fetchOwnUploads(eventId, limit, pageSignal),
      )
      if (isEnded()) return
      onPage(page)
      isPreparing = page.uploads.some(({ status }) => status === 'processing')
      intervalMs = POLL_INTERVAL_MS
    } catch (error) {
      if (isEnded()) return
      onError(error)
      const retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
      intervalMs = Math.max(retryAfterMs, Math.min(2 * intervalMs, MAX_INTERVAL_MS))
    }
    if (!isPreparing) return
    await wait(intervalMs, signal)
    await untilPageVisible(signal)
  } while (!isEnded() && Date.now() < endsAt)
}
