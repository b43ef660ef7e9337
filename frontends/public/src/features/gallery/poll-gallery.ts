import { ApiError } from '@confetti/api-client'
import { untilPageVisible } from '../polling/until-page-visible.ts'
import { wait } from '../upload/wait.ts'
import type { GalleryList } from './gallery-list.ts'

/** What is hidden or deleted disappears within three seconds. */
const POLL_INTERVAL_MS = 2_500
/** Without a touch, key or movement, and while no photo is open. */
const IDLE_INTERVAL_MS = 10_000
const IDLE_AFTER_MS = 2 * 60_000
const MAX_INTERVAL_MS = 60_000

const interactions = ['pointerdown', 'pointermove', 'keydown', 'scroll'] as const

/** Refreshes a gallery while its page is visible, less often while it is not used, until the signal aborts. */
export const pollGallery = async (
  list: GalleryList,
  hasOpenPhoto: () => boolean,
  signal: AbortSignal,
): Promise<void> => {
  let usedAt = Date.now()
  const handleInteraction = (): void => {
    usedAt = Date.now()
  }
  for (const type of interactions) window.addEventListener(type, handleInteraction, { passive: true, signal })

  const isEnded = (): boolean => signal.aborted
  const isIdle = (): boolean => !hasOpenPhoto() && Date.now() - usedAt > IDLE_AFTER_MS
  let failures = 0
  let retryAfterMs = 0
  let refreshedAt = Date.now()
  while (!isEnded()) {
    await wait(Math.max(retryAfterMs, Math.min(POLL_INTERVAL_MS * 2 ** failures, MAX_INTERVAL_MS)), signal)
    await untilPageVisible(signal)
    if (isEnded()) return
    if (isIdle() && Date.now() - refreshedAt < IDLE_INTERVAL_MS) continue
    refreshedAt = Date.now()
    try {
      await list.refresh()
      failures = 0
      retryAfterMs = 0
    } catch (error) {
      failures += 1
      retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
    }
  }
}
