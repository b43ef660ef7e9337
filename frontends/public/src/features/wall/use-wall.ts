import { useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '@confetti/api-client'
import { withTimeout } from '../polling/with-timeout.ts'
import { wait } from '../upload/wait.ts'
import { fetchWall } from './wall-api.ts'
import { createWallList, type WallList } from './wall-list.ts'

/** New photos appear, and hidden ones disappear, within three seconds. */
const POLL_INTERVAL_MS = 2_000
const MAX_INTERVAL_MS = 30_000
/** A wall whose link has ended may get another chance: the server answers 404 while it does not know the event yet. */
const ENDED_INTERVAL_MS = 30_000

const pollWall = async (
  list: WallList,
  getShownIds: () => readonly string[],
  signal: AbortSignal,
): Promise<void> => {
  const isEnded = (): boolean => signal.aborted
  let failures = 0
  while (!isEnded()) {
    let intervalMs = POLL_INTERVAL_MS
    try {
      await list.refresh(getShownIds())
      failures = 0
    } catch (error) {
      failures += 1
      const isGone = error instanceof ApiError && error.status === 404
      const backoffMs = Math.min(POLL_INTERVAL_MS * 2 ** failures, MAX_INTERVAL_MS)
      const retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
      // Jitter spreads many walls that lost the same server.
      intervalMs = isGone ? ENDED_INTERVAL_MS : Math.max(retryAfterMs, backoffMs * (0.5 + Math.random()))
    }
    await wait(intervalMs, signal)
  }
}

/** The uploads of a live wall, kept up to date. Without a network it keeps what it has. */
export const useWall = (eventId: string, key: string, getShownIds: () => readonly string[]) => {
  const [{ list, controller }] = useState(() => {
    const ending = new AbortController()
    return {
      controller: ending,
      list: createWallList({
        fetchPage: (query) => withTimeout(ending.signal, (signal) => fetchWall(eventId, key, query, signal)),
        now: Date.now,
      }),
    }
  })
  const state = useSyncExternalStore(list.subscribe, list.getState)
  useEffect(() => {
    void pollWall(list, getShownIds, controller.signal)
    return () => controller.abort()
  }, [list, controller, getShownIds])
  return state
}
