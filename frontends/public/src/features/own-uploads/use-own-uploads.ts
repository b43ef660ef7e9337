import { useCallback, useEffect, useRef, useState } from 'react'
import { keepFresh } from '@confetti/album/keep-fresh'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { isNewer } from '@confetti/album/upload-order'
import type { GuestUpload } from '@confetti/contracts'
import { api } from '@confetti/session'
import { asOwner } from './as-owner.ts'

interface OwnUploadsPage {
  uploads: GuestUpload[]
  nextCursor?: string | undefined
}

/** The newest `limit` files that this guest has sent to an event. */
const fetchOwnUploads = (eventId: string, limit: number, signal: AbortSignal): Promise<OwnUploadsPage> =>
  api().get('/api/guest/uploads', { query: { eventId, limit }, ...asOwner(), signal })

const PAGE_SIZE = 12
/** What the server lists at once. */
export const MAX_LISTED = 1_000
// A picture that fails with a newer link has another problem than an expired link.
const MIN_RENEW_INTERVAL_MS = 30_000
const POLL_INTERVAL_MS = 4_000
const FOLLOW_INTERVAL_MS = 10_000
const MAX_INTERVAL_MS = 60_000
/** One request asks for what was sent within this time. */
const GATHER_MS = 2_000
/** A file that takes longer shows its state on the next visit. */
const MAX_POLL_MS = 10 * 60_000

interface List {
  uploads: readonly GuestUpload[]
  hasMore: boolean
  requestedAt: number
}
/** What was listed, and when that was requested. */
export type Listed = Pick<List, 'uploads' | 'requestedAt'>

/** Uploads with those that are missing among them, in the order of the server: the newest first. */
export const withUploads = (
  uploads: readonly GuestUpload[],
  others: readonly GuestUpload[],
): readonly GuestUpload[] => {
  const missing = others.filter((other) => !uploads.some(({ _id }) => _id === other._id))
  if (missing.length === 0) return uploads
  return [...uploads, ...missing].sort((a, b) => (isNewer(a, b) ? -1 : 1))
}

interface Options {
  /** How many files this visit has sent. */
  sentCount: number
  /** How many are listed at first. */
  count?: number
  /** Whether the server is asked for them. */
  isNeeded?: boolean
  /** Whether they load again also when none of them is being prepared. */
  isFollowed?: boolean
}

/**
 * The files that this guest has sent to an event, newest first. They load again soon after `sentCount` changes, and while
 * one of them is being prepared.
 */
export const useOwnUploads = (
  eventId: string,
  { sentCount, count = PAGE_SIZE, isNeeded = true, isFollowed = false }: Options,
) => {
  const [list, setList] = useState<List>()
  const [hasFailed, setHasFailed] = useState(false)
  const [limit, setLimit] = useState(count)
  const [attempt, setAttempt] = useState(0)
  const renewedAt = useRef(0)

  useEffect(() => {
    if (!isNeeded) return
    const controller = new AbortController()
    const endsAt = Date.now() + MAX_POLL_MS
    let isPreparing = false
    const isEnded = (): boolean => controller.signal.aborted
    const refresh = async (signal: AbortSignal): Promise<void> => {
      const requestedAt = Date.now()
      try {
        const { uploads, nextCursor } = await requestWithTimeout(signal, (pageSignal) =>
          fetchOwnUploads(eventId, limit, pageSignal),
        )
        if (isEnded()) return
        isPreparing = uploads.some(({ status }) => status === 'processing')
        setList({ uploads, hasMore: nextCursor !== undefined && limit < MAX_LISTED, requestedAt })
        setHasFailed(false)
      } catch (error) {
        if (!isEnded()) setHasFailed(true)
        throw error
      }
    }
    keepFresh({
      refresh,
      getIntervalMs: () => {
        if (isPreparing && Date.now() < endsAt) return POLL_INTERVAL_MS
        return isFollowed ? FOLLOW_INTERVAL_MS : undefined
      },
      minIntervalMs: POLL_INTERVAL_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      signal: controller.signal,
    })
    return () => controller.abort()
  }, [eventId, limit, attempt, isNeeded, isFollowed])

  const retry = useCallback(() => setAttempt((previous) => previous + 1), [])
  const listedCount = useRef(sentCount)
  const gathering = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (listedCount.current === sentCount) return
    listedCount.current = sentCount
    gathering.current ??= setTimeout(() => {
      gathering.current = undefined
      retry()
    }, GATHER_MS)
  }, [sentCount, retry])
  useEffect(() => () => clearTimeout(gathering.current), [])
  const renewLinks = useCallback(() => {
    if (Date.now() - renewedAt.current < MIN_RENEW_INTERVAL_MS) return
    renewedAt.current = Date.now()
    retry()
  }, [retry])

  return {
    /** Undefined until they have loaded. */
    list,
    hasMore: list?.hasMore ?? false,
    hasFailed,
    showMore: (): void => setLimit(Math.min((list?.uploads.length ?? 0) + 2 * PAGE_SIZE, MAX_LISTED)),
    retry,
    /** Shows an upload that was restored, and asks for the list again: an answer on its way may lack it. */
    addRestored: (upload: GuestUpload): void => {
      setList((before) => before && { ...before, uploads: withUploads(before.uploads, [upload]) })
      retry()
    },
    /** Called when a picture fails to load: its link may have expired. */
    renewLinks,
  }
}
