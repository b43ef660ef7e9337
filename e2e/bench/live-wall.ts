import { setTimeout as sleep } from 'node:timers/promises'
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

interface Wall {
  eventId: string
  key: string
}

/** Follows an event as its wall does. Resolves when the stream is open. */
export const followWall = async (api: string, { eventId, key }: Wall): Promise<LiveFollower> => {
  const follower = startLiveFollower(api, eventId, { wallKey: key })
  while (!follower.isConnected()) await sleep(POLL_MS)
  return follower
}

/** As in the wall's page: in a burst one request asks for all changes. */
const MIN_INTERVAL_MS = 500

/** What a wall lists, and when it listed each upload first and last. */
export interface WallPage {
  shownAt: ReadonlyMap<string, number>
  /** When a list was the first one without an upload that had been listed. */
  goneAt: ReadonlyMap<string, number>
  close: () => Promise<void>
}

/** Keeps a wall's list up to date by its live stream until it is closed. */
export const openWallPage = async (api: string, wall: Wall): Promise<WallPage> => {
  const shownAt = new Map<string, number>()
  const goneAt = new Map<string, number>()
  const follower = await followWall(api, wall)
  let isClosed = false
  const refresh = async (): Promise<void> => {
    const response = await fetch(`${api}/api/wall/${wall.eventId}?limit=1000`, {
      headers: { 'X-Wall-Key': wall.key },
    })
    if (!response.ok) return
    const { uploads } = (await response.json()) as { uploads: { _id: string }[] }
    const listed = new Set(uploads.map(({ _id }) => _id))
    for (const id of listed) if (!shownAt.has(id)) shownAt.set(id, Date.now())
    for (const id of shownAt.keys()) if (!listed.has(id) && !goneAt.has(id)) goneAt.set(id, Date.now())
  }
  const keepUpToDate = async (): Promise<void> => {
    let seen = -1
    while (!isClosed) {
      if (follower.events.length === seen) {
        await sleep(POLL_MS)
        continue
      }
      seen = follower.events.length
      await refresh()
      await sleep(MIN_INTERVAL_MS)
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
