import { setTimeout as sleep } from 'node:timers/promises'
import { followLiveOnce, type LiveClient } from '@confetti/test-kit/live-client'

export interface LiveFollower {
  /** All events of all connections so far, in order. */
  events: LiveClient['events']
  /** How often the client has connected. */
  countConnections: () => number
  isConnected: () => boolean
  /** The ids of the uploads of all `upload.added` events. */
  added: () => string[]
  stop: () => Promise<void>
}

/** Follows an event as a page does: connects again when the stream ends, and resumes after the last event. */
export const startLiveFollower = (
  url: string,
  eventId: string,
  credentials: { token?: string; wallKey?: string },
): LiveFollower => {
  const events: LiveClient['events'] = []
  const stopped = new AbortController()
  let connections = 0
  let client: LiveClient | undefined

  const connectOnce = async (): Promise<void> => {
    const lastEventId = events.at(-1)?.id
    client = await followLiveOnce(url, eventId, { ...credentials, ...(lastEventId && { lastEventId }) })
    if (client.status === 200) {
      connections += 1
      client.onEvent((event) => events.push(event))
    }
    await client.closed
  }
  const keepConnected = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await connectOnce().catch(() => undefined)
      await sleep(200 + Math.random() * 300)
    }
  }
  const running = keepConnected()
  return {
    events,
    countConnections: () => connections,
    isConnected: () => client?.status === 200 && !client.isClosed(),
    added: () =>
      events
        .filter(({ name }) => name === 'upload.added')
        .map(({ data }) => (data as { uploadId: string }).uploadId),
    stop: async () => {
      stopped.abort()
      client?.disconnect()
      await running
    },
  }
}
