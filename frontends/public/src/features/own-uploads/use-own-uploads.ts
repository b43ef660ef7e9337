import { useCallback, useEffect, useRef, useState } from 'react'
import type { GuestUpload } from '@confetti/contracts'
import { followOwnUploads } from './follow-own-uploads.ts'

const PAGE_SIZE = 12
/** What the server lists at once. */
const MAX_LISTED = 1_000
// A picture that fails with a newer link has another problem than an expired link.
const MIN_RENEW_INTERVAL_MS = 30_000

interface List {
  uploads: readonly GuestUpload[]
  hasMore: boolean
}

/**
 * The files that this guest has sent to an event, newest first. They load again when `sentCount` changes, and while one
 * of them is being prepared.
 */
export const useOwnUploads = (eventId: string, sentCount: number) => {
  const [list, setList] = useState<List>()
  const [hasFailed, setHasFailed] = useState(false)
  const [limit, setLimit] = useState(PAGE_SIZE)
  const [attempt, setAttempt] = useState(0)
  const renewedAt = useRef(0)

  useEffect(() => {
    const controller = new AbortController()
    void followOwnUploads({
      eventId,
      limit,
      signal: controller.signal,
      onPage: ({ uploads, nextCursor }) => {
        setList({ uploads, hasMore: nextCursor !== undefined && limit < MAX_LISTED })
        setHasFailed(false)
      },
      onError: () => setHasFailed(true),
    })
    return () => controller.abort()
  }, [eventId, limit, sentCount, attempt])

  const retry = useCallback(() => setAttempt((previous) => previous + 1), [])
  const renewLinks = useCallback(() => {
    if (Date.now() - renewedAt.current < MIN_RENEW_INTERVAL_MS) return
    renewedAt.current = Date.now()
    retry()
  }, [retry])

  return {
    /** Undefined until they have loaded. */
    uploads: list?.uploads,
    hasMore: list?.hasMore ?? false,
    hasFailed,
    showMore: (): void => setLimit((previous) => Math.min(previous + 2 * PAGE_SIZE, MAX_LISTED)),
    retry,
    /** Called when a picture fails to load: its link may have expired. */
    renewLinks,
  }
}
