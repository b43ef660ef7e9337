import { setTimeout as sleep } from 'node:timers/promises'
import type { GalleryUpload } from '@confetti/contracts'
import { eventually } from '@confetti/test-kit/eventually'
import { createWallList } from '../../frontends/public/src/features/wall/wall-list.ts'
import { startLiveFollower, type LiveFollower } from '../live-follower.ts'

const POLL_MS = 20

/** Creates the link of an event's live wall; returns its key. */
export const createWallKey = async (
  api: string,
  eventId: string,
  headers: Record<string, string>,
): Promise<string> => {
  const response = await fetch(`${api}/api/events/${eventId}/wall`, { method: 'POST', headers })
  if (response.status !== 201) throw new Error(`The wall was not created: ${response.status}`)
  const { url } = (await response.json()) as { url: string }
  return new URL(url).hash.slice(1)
}

/** Hides an upload from guests. */
export const hideUpload = async (
  api: string,
  { eventId, uploadId }: { eventId: string; uploadId: string },
  headers: Record<string, string>,
): Promise<void> => {
  const response = await fetch(`${api}/api/admin/uploads/event/${eventId}/visibility`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ uploadIds: [uploadId], visibility: 'hidden' }),
  })
  if (!response.ok) throw new Error(`Hiding returned ${response.status}`)
}

interface WallResponse {
  uploads: GalleryUpload[]
  nextCursor?: string
}

interface Wall {
  eventId: string
  key: string
}

/** Follows an event as its wall does. Resolves when the stream is open. */
export const followWall = async (api: string, { eventId, key }: Wall): Promise<LiveFollower> => {
  const follower = startLiveFollower(api, eventId, { wallKey: key })
  await eventually(follower.isConnected, 'an open stream')
  return follower
}

/** As in the wall's page: in a burst one request asks for all changes. */
const MIN_INTERVAL_MS = 500

/** When a wall listed each upload first, and when it did not any more. */
export interface WallPage {
  shownAt: ReadonlyMap<string, number>
  goneAt: ReadonlyMap<string, number>
  close: () => Promise<void>
}

/** Keeps the list of the wall's page up to date by a live stream, as the page does, until it is closed. */
export const openWallPage = async (api: string, wall: Wall): Promise<WallPage> => {
  const shownAt = new Map<string, number>()
  const goneAt = new Map<string, number>()
  const requestPage = (limit: number, after?: string): Promise<Response> => {
    const url = new URL(`${api}/api/wall/${wall.eventId}?limit=${limit}`)
    if (after) url.searchParams.set('after', after)
    return fetch(url, { headers: { 'X-Wall-Key': wall.key } })
  }
  await eventually(async () => (await requestPage(1)).ok, 'the key to be known to the uploads service')
  const list = createWallList({
    now: Date.now,
    fetchPage: async ({ limit, after }) => {
      const response = await requestPage(limit, after)
      if (!response.ok) throw new Error(`The wall returned ${response.status}`)
      return (await response.json()) as WallResponse
    },
  })
  list.subscribe(() => {
    const listed = new Set(list.getState().uploads.map(({ _id }) => _id))
    for (const id of listed) if (!shownAt.has(id)) shownAt.set(id, Date.now())
    for (const id of shownAt.keys()) if (!listed.has(id) && !goneAt.has(id)) goneAt.set(id, Date.now())
  })
  const follower = await followWall(api, wall)
  let isClosed = false
  let received = 0
  const reportChanges = (): void => {
    const changes = follower.events.slice(received)
    received += changes.length
    for (const { name, data } of changes) {
      const { uploadId } = data as { uploadId: string }
      if (name === 'upload.hidden') list.remove(uploadId)
      if (name === 'reset') list.reset()
    }
  }
  const keepUpToDate = async (): Promise<void> => {
    let refreshedAt = -Infinity
    let refreshedAfter = -1
    while (!isClosed) {
      reportChanges()
      if (received !== refreshedAfter && Date.now() - refreshedAt >= MIN_INTERVAL_MS) {
        refreshedAt = Date.now()
        refreshedAfter = received
        await list.refresh()
      }
      await sleep(POLL_MS)
    }
  }
  const running = keepUpToDate()
  return {
    shownAt,
    goneAt,
    close: async () => {
      isClosed = true
      await Promise.all([running, follower.stop()])
    },
  }
}
