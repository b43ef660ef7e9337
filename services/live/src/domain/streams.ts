import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable, type AppError } from '@confetti/service-kit'
import type { LiveMetrics, RefusalReason } from '../live-metrics.ts'
import { createChannel, type Channel } from './channel.ts'
import { heartbeat } from './frames.ts'
import type { LiveChange } from './live-change.ts'
import type { CloseReason, Stream } from './stream.ts'

// As long as recent events are kept.
const IDLE_CHANNEL_MS = 120_000

const MIN_RETRY_AFTER_SECONDS = 3
const MAX_RETRY_AFTER_SECONDS = 10

/** 503 with a random `Retry-After`, so that clients do not reconnect all at once. */
export const refuseStream = (): AppError =>
  unavailable(
    'Live updates are not available right now.',
    MIN_RETRY_AFTER_SECONDS + Math.random() * (MAX_RETRY_AFTER_SECONDS - MIN_RETRY_AFTER_SECONDS),
  )

/** The open streams of this replica. */
export interface Streams {
  all: () => Stream[]
  ofEvent: (eventId: string) => Stream[]
  /** Throws `unavailable` if there are as many streams as there may be, of all events or of this one. */
  checkLimits: (eventId: string) => void
  /** Adds a stream, and sends it what it has missed since `lastEventId`. */
  add: (stream: Stream, lastEventId: string | undefined) => void
  /** Removes a stream whose response is closed. */
  remove: (stream: Stream, reason: CloseReason) => void
  /** Sends a change to all streams of an event. */
  send: (eventId: string, change: LiveChange, message: { id: string; time: string }) => void
  /** Sends `reset` to all streams, so that their clients load everything again. */
  reset: () => void
  sendHeartbeat: () => void
  /** Ends all streams, at random moments within `durationMs`. Resolves when all have ended. */
  drain: (durationMs: number) => Promise<void>
}

interface Deps {
  maxStreams: number
  maxStreamsPerEvent: number
  countsIntervalMs: number
  metrics: LiveMetrics
}

export const createStreams = ({
  maxStreams,
  maxStreamsPerEvent,
  countsIntervalMs,
  metrics,
}: Deps): Streams => {
  const channels = new Map<string, Channel>()
  let count = 0

  const all = (): Stream[] => [...channels.values()].flatMap((channel) => [...channel.streams])
  const channelOf = (eventId: string): Channel => {
    const known = channels.get(eventId)
    if (known) return known
    const channel = createChannel({ countsIntervalMs, idleMs: IDLE_CHANNEL_MS, metrics })
    channels.set(eventId, channel)
    return channel
  }
  const refuse = (reason: RefusalReason): never => {
    metrics.refused(reason)
    throw refuseStream()
  }

  return {
    all,
    ofEvent: (eventId) => [...(channels.get(eventId)?.streams ?? [])],
    checkLimits: (eventId) => {
      if (count >= maxStreams) refuse('limit')
      if ((channels.get(eventId)?.streams.size ?? 0) >= maxStreamsPerEvent) refuse('event_limit')
    },
    add: (stream, lastEventId) => {
      count += 1
      metrics.opened()
      channelOf(stream.eventId).join(stream, lastEventId)
    },
    remove: (stream, reason) => {
      count -= 1
      metrics.closed(reason)
      channels.get(stream.eventId)?.leave(stream)
    },
    send: (eventId, change, message) => channels.get(eventId)?.send(change, message),
    reset: () => {
      for (const channel of channels.values()) channel.reset()
    },
    sendHeartbeat: () => {
      for (const [eventId, channel] of channels) if (!channel.tidy()) channels.delete(eventId)
      for (const stream of all()) stream.write(heartbeat)
    },
    drain: async (durationMs) => {
      await Promise.all(
        all().map(async (stream) => {
          await sleep(Math.random() * durationMs)
          channels.get(stream.eventId)?.flush()
          stream.end('drained')
        }),
      )
    },
  }
}
