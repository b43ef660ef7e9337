import { useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '@confetti/api-client'
import { openLiveStream } from '@confetti/api-client/live-stream'
import { site } from '@confetti/session'
import { requestWithTimeout } from '../polling/request-with-timeout.ts'
import { wait } from '../upload/wait.ts'
import { fetchWall, WALL_KEY_HEADER } from './wall-api.ts'
import { createWallList, type WallList } from './wall-list.ts'

/** Without live updates: new photos appear, and hidden ones disappear, within three seconds. */
const POLL_INTERVAL_MS = 2_000
/** With them, for what was missed. */
const LIVE_INTERVAL_MS = 30_000
/** In a burst one request asks for all changes. */
const MIN_INTERVAL_MS = 500
const MAX_INTERVAL_MS = 30_000
/** A wall whose link has ended may get another chance: the server answers 404 while it does not know the event yet. */
const ENDED_INTERVAL_MS = 30_000

/** Reports changes of the event to the list. They end the wait for the next poll. */
const followWall = (eventId: string, key: string, list: WallList, signal: AbortSignal) => {
  let hasChanged = false
  let wake = (): void => undefined
  const change = (): void => {
    hasChanged = true
    wake()
  }
  openLiveStream({
    baseUrl: site().apiUrl,
    eventId,
    headers: () => ({ [WALL_KEY_HEADER]: key }),
    onEvent: ({ name, data }) => {
      if (name === 'upload.hidden' || name === 'upload.removed') list.remove(data.uploadId)
      if (name === 'upload.ready') list.expect(data.uploadId)
      if (name === 'reset') list.reset()
      change()
    },
    onStatus: (status) => {
      list.setLive(status === 'open')
      change()
    },
    signal,
  })
  return {
    /** Resolves after `ms`, or when something changes. */
    waitForChange: async (ms: number): Promise<void> => {
      const waiting = new AbortController()
      const end = (): void => waiting.abort()
      wake = end
      signal.addEventListener('abort', end)
      if (!hasChanged) await wait(ms, waiting.signal)
      signal.removeEventListener('abort', end)
      hasChanged = false
    },
  }
}

const pollWall = async (
  list: WallList,
  { waitForChange }: ReturnType<typeof followWall>,
  signal: AbortSignal,
): Promise<void> => {
  const isEnded = (): boolean => signal.aborted
  let failures = 0
  while (!isEnded()) {
    let intervalMs: number | undefined
    try {
      await list.refresh()
      failures = 0
    } catch (error) {
      failures += 1
      const isGone = error instanceof ApiError && error.status === 404
      const backoffMs = Math.min(POLL_INTERVAL_MS * 2 ** failures, MAX_INTERVAL_MS)
      const retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
      // Jitter spreads many walls that lost the same server.
      intervalMs = isGone ? ENDED_INTERVAL_MS : Math.max(retryAfterMs, backoffMs * (0.5 + Math.random()))
    }
    // A server that fails is not asked sooner because something changes.
    if (intervalMs !== undefined) await wait(intervalMs, signal)
    else {
      await wait(MIN_INTERVAL_MS, signal)
      await waitForChange((list.isLive() ? LIVE_INTERVAL_MS : POLL_INTERVAL_MS) - MIN_INTERVAL_MS)
    }
  }
}

/** The uploads of a live wall, kept up to date. Without a network it keeps what it has. */
export const useWall = (eventId: string, key: string) => {
  const [{ list, controller }] = useState(() => {
    const ending = new AbortController()
    return {
      controller: ending,
      list: createWallList({
        fetchPage: (query) =>
          requestWithTimeout(ending.signal, (signal) => fetchWall(eventId, key, query, signal)),
        now: Date.now,
      }),
    }
  })
  const state = useSyncExternalStore(list.subscribe, list.getState)
  useEffect(() => {
    void pollWall(list, followWall(eventId, key, list, controller.signal), controller.signal)
    return () => controller.abort()
  }, [list, controller, eventId, key])
  return { list, state }
}
