import { useCallback, useEffect, useRef, useState } from 'react'
import { keepFresh } from '@confetti/album/keep-fresh'
import { applyChanges, createListFeed, insertUploads, type FeedRequest } from '@confetti/album/list-feed'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import type { GuestUpload } from '@confetti/contracts'
import { api } from '@confetti/session'
import { asOwner } from './as-owner.ts'

/** The newest `limit` files that this guest has sent to an event, or what has changed. */
const fetchOwnUploads = (
  eventId: string,
  { headers, onHeaders = () => undefined, ...query }: FeedRequest,
  signal: AbortSignal,
) => api().get('/api/guest/uploads', { query: { eventId, ...query }, ...asOwner(headers), onHeaders, signal })

const PAGE_SIZE = 12
/** What the server lists at once. */
export const MAX_LISTED = 1_000
/** Links are valid for at least ten minutes. */
const LINKS_FRESH_MS = 9 * 60_000
/** An answer may lack what has changed less than this before. */
const CHANGES_LAG_MS = 2_000
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
  return insertUploads(uploads, missing)
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
    const feed = createListFeed()
    let listed: List = { uploads: [], hasMore: false, requestedAt: 0 }
    let linksRequestedAt = 0
    const isEnded = (): boolean => controller.signal.aborted
    const refresh = async (signal: AbortSignal): Promise<void> => {
      const requestedAt = Date.now()
      try {
        const isFilled = listed.uploads.length >= limit || !listed.hasMore
        if (!isFilled || requestedAt - linksRequestedAt > LINKS_FRESH_MS) feed.restart()
        const answer = await feed.read(
          (request) =>
            requestWithTimeout(signal, (pageSignal) => fetchOwnUploads(eventId, request, pageSignal)),
          limit,
        )
        if (isEnded()) return
        if (answer && 'page' in answer) {
          const { uploads, nextCursor } = answer.page
          linksRequestedAt = requestedAt
          listed = { uploads, hasMore: nextCursor !== undefined && limit < MAX_LISTED, requestedAt }
        } else if (answer) {
          const { uploads: known, hasMore } = listed
          const { uploads } = applyChanges(known, answer.changes, hasMore ? known.at(-1) : undefined)
          listed = {
            uploads: uploads.slice(0, limit),
            hasMore: (hasMore || uploads.length > limit) && limit < MAX_LISTED,
            requestedAt: requestedAt - CHANGES_LAG_MS,
          }
        }
        if (answer) setList(listed)
        setHasFailed(false)
      } catch (error) {
        if (!isEnded()) setHasFailed(true)
        throw error
      }
    }
    keepFresh({
      refresh,
      getIntervalMs: () => {
        const isPreparing = listed.uploads.some(({ status }) => status === 'processing')
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
