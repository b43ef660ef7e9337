import { useEffect, useState, useSyncExternalStore } from 'react'
import { keepFresh } from '@confetti/album/keep-fresh'
import type { FeedRequest } from '@confetti/album/list-feed'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { openLiveStream } from '@confetti/api-client/live-stream'
import type * as contracts from '@confetti/contracts'
import { api, site } from '@confetti/session'
import { createWallList } from './wall-list.ts'

/** A constant of its own, because the contracts would bring their schemas into the browser. */
const WALL_KEY_HEADER: typeof contracts.WALL_KEY_HEADER = 'X-Wall-Key'

/** Lists the uploads of a live wall, newest first, or what has changed. Its key is in the wall's link. */
export const fetchWall = (
  eventId: string,
  key: string,
  { headers = {}, onHeaders = () => undefined, ...query }: FeedRequest & { after?: string | undefined },
  signal: AbortSignal,
) =>
  api().get('/api/wall/{eventId}', {
    params: { eventId },
    query,
    headers: { ...headers, [WALL_KEY_HEADER]: key },
    onHeaders,
    asGuest: true,
    quiet: true,
    signal,
  })

/** Without live updates: new photos appear, and hidden ones disappear, within three seconds. */
const POLL_INTERVAL_MS = 2_000
/** With them, for what was missed. */
const LIVE_INTERVAL_MS = 30_000
/** In a burst one request asks for all changes. */
const MIN_INTERVAL_MS = 500
const MAX_INTERVAL_MS = 30_000
/** A wall whose link has ended may get another chance: the server answers 404 while it does not know the event yet. */
const ENDED_INTERVAL_MS = 30_000

/** The uploads of a live wall, kept fresh. Without a network it keeps what it has. */
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
    const { signal } = controller
    const { wake } = keepFresh({
      refresh: list.refresh,
      getIntervalMs: () => (list.isLive() ? LIVE_INTERVAL_MS : POLL_INTERVAL_MS),
      minIntervalMs: MIN_INTERVAL_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      goneIntervalMs: ENDED_INTERVAL_MS,
      isRefreshedHidden: true,
      signal,
    })
    openLiveStream({
      baseUrl: site().apiUrl,
      eventId,
      headers: () => ({ [WALL_KEY_HEADER]: key }),
      onEvent: ({ name, data }) => {
        if (name === 'upload.hidden' || name === 'upload.removed') list.remove(data.uploadId)
        if (name === 'reset') list.reset()
        wake()
      },
      onStatus: (status) => {
        list.setLive(status === 'open')
        wake()
      },
      signal,
    })
    return () => controller.abort()
  }, [list, controller, eventId, key])
  return { list, state }
}
