import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable, type AppError } from '@confetti/service-kit'
import type { Config } from '../config.ts'
import type { LiveMetrics, RefusalReason } from '../metrics.ts'
import { isFor, countsOf, createRecentEvents, type LiveChange, type RecentEvent } from './recent-events.ts'
import { heartbeat, type Audience, type CloseReason, type Stream } from './stream.ts'

// One write for all events of this time: with thousands of streams, the writes are what costs.
const FLUSH_INTERVAL_MS = 100

/** All streams of one event, and what they receive. */
interface Channel {
  streams: ReadonlySet<Stream>
  /** Adds a stream and sends it what it has missed since `lastEventId`, or `reset`. */
  join: (stream: Stream, lastEventId: string | undefined) => void
  leave: (stream: Stream) => void
  /** Sends a change to all streams, unless its message has been sent before. */
  send: (change: LiveChange, message?: { id: string; time: string }) => void
  /** Sends at once what waits to be sent. */
  flush: () => void
  /** Sends `reset` to each stream within `RESET_SPREAD_MS`, so that their clients load everything again. */
  reset: () => void
  /** Keeps the channel for somebody who will join. */
  keep: () => void
  /** Removes old events. Returns whether the channel is still needed. */
  tidy: () => boolean
}

// Not all at once, as each client loads whole lists; and soon, as what was hidden must not be shown for long.
const RESET_SPREAD_MS = 2_000

/** How long a channel without streams is kept, so that a client can join or resume: as long as recent events are. */
const IDLE_CHANNEL_MS = 120_000

const createChannel = (countsIntervalMs: number, metrics: LiveMetrics): Channel => {
  const streams = new Set<Stream>()
  /** Those that are sent `reset` soon. Until then they are sent nothing: its id would say that they have missed nothing. */
  const resetting = new Set<Stream>()
  const recent = createRecentEvents()
  let idleSince = performance.now()
  const keep = (): void => {
    idleSince = performance.now()
  }
  let pending: { event: RecentEvent; time?: string | undefined }[] = []
  let counts: { added: number; ready: number } | undefined

  const deliver = (receivers: Iterable<Stream>, events: readonly RecentEvent[]): void => {
    const framesOf = (audience: Audience): Buffer =>
      Buffer.concat(events.filter((event) => isFor(audience, event)).map(({ frame }) => frame))
    const bytes = { member: framesOf('member'), wall: framesOf('wall') }
    const receiversOf = { member: 0, wall: 0 }
    for (const stream of receivers) {
      if (resetting.has(stream)) continue
      receiversOf[stream.audience] += 1
      if (bytes[stream.audience].length > 0) stream.write(bytes[stream.audience])
    }
    for (const event of events)
      metrics.sent(event.name, receiversOf.member + (event.isForMembersOnly ? 0 : receiversOf.wall))
  }
  const flush = (): void => {
    const sent = pending
    pending = []
    if (sent.length === 0) return
    // A copy: a slow stream leaves while it is written to.
    deliver(
      [...streams],
      sent.map(({ event }) => event),
    )
    if (streams.size > 0) for (const { time } of sent) if (time) metrics.delivered(time)
  }
  const send: Channel['send'] = (change, message) => {
    const event = recent.add(change, message?.id)
    if (!event) return
    if (pending.length === 0) setTimeout(flush, FLUSH_INTERVAL_MS)
    pending.push({ event, time: message?.time })
    count(change)
  }
  const count = ({ liveEvent: { name } }: LiveChange): void => {
    if (name !== 'upload.added' && name !== 'upload.ready') return
    if (!counts) setTimeout(sendCounts, countsIntervalMs)
    counts ??= { added: 0, ready: 0 }
    counts[name === 'upload.added' ? 'added' : 'ready'] += 1
  }
  const sendCounts = (): void => {
    const sum = counts
    counts = undefined
    if (sum) send(countsOf(sum))
  }

  return {
    streams,
    join: (stream, lastEventId) => {
      // Flush first: pending events are part of what it missed.
      flush()
      const missed = recent.since(lastEventId, stream.audience) ?? [recent.reset()]
      streams.add(stream)
      deliver([stream], missed)
    },
    leave: (stream) => {
      streams.delete(stream)
      resetting.delete(stream)
      keep()
    },
    send,
    flush,
    reset: () => {
      pending = []
      recent.restart()
      for (const stream of streams) {
        if (resetting.has(stream)) continue
        resetting.add(stream)
        setTimeout(() => {
          if (resetting.delete(stream)) deliver([stream], [recent.reset()])
        }, Math.random() * RESET_SPREAD_MS)
      }
    },
    keep,
    tidy: () => {
      recent.removeOld()
      return streams.size > 0 || performance.now() - idleSince < IDLE_CHANNEL_MS
    },
  }
}

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
  /** Resolves when messages about an event arrive. Rejects if they do not. */
  follow: (eventId: string) => Promise<void>
  /** Throws `unavailable` if there are as many streams as there may be, of all events or of this one. */
  checkLimits: (eventId: string) => void
  /** Adds a stream of an event that is followed, and sends it what it has missed since `lastEventId`. */
  add: (stream: Stream, lastEventId: string | undefined) => void
  /** Removes a stream whose response is closed. */
  remove: (stream: Stream, reason: CloseReason) => void
  /** Sends a change to all streams of an event. */
  send: (eventId: string, change: LiveChange, message: { id: string; time: string }) => void
  /** Sends `reset` to all streams within seconds, so that their clients load everything again. */
  reset: () => void
  sendHeartbeat: () => void
  /** Ends all streams, at random moments within `durationMs`. Resolves when all have ended. */
  drain: (durationMs: number) => Promise<void>
}

/** Lets the messages about an event arrive, or not any more. */
interface Messages {
  follow: (eventId: string) => Promise<void>
  unfollow: (eventId: string) => void
}

export const createStreams = (config: Config, metrics: LiveMetrics, messages: Messages): Streams => {
  const channels = new Map<string, Channel & { followed: Promise<void> }>()
  let count = 0

  const all = (): Stream[] => [...channels.values()].flatMap((channel) => [...channel.streams])
  const remove = (eventId: string): void => {
    channels.delete(eventId)
    messages.unfollow(eventId)
  }
  const refuse = (reason: RefusalReason): never => {
    metrics.refused(reason)
    throw refuseStream()
  }

  return {
    all,
    ofEvent: (eventId) => [...(channels.get(eventId)?.streams ?? [])],
    follow: async (eventId) => {
      const known = channels.get(eventId)
      if (known) {
        known.keep()
        return known.followed
      }
      const channel = createChannel(config.COUNTS_INTERVAL_MS, metrics)
      const followed = messages.follow(eventId)
      channels.set(eventId, { ...channel, followed })
      try {
        await followed
      } catch (error) {
        remove(eventId)
        throw error
      }
    },
    checkLimits: (eventId) => {
      if (count >= config.MAX_STREAMS) refuse('limit')
      if ((channels.get(eventId)?.streams.size ?? 0) >= config.MAX_STREAMS_PER_EVENT) refuse('event_limit')
    },
    add: (stream, lastEventId) => {
      count += 1
      metrics.opened()
      channels.get(stream.eventId)?.join(stream, lastEventId)
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
      for (const [eventId, channel] of channels) if (!channel.tidy()) remove(eventId)
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
