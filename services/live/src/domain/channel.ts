import type { LiveMetrics } from '../live-metrics.ts'
import type { Audience } from './event.ts'
import { countsOf, type LiveChange } from './live-change.ts'
import { concerns, createRecentEvents, type RecentEvent } from './recent-events.ts'
import type { Stream } from './stream.ts'

// One write for all events of this time: with thousands of streams, the writes are what costs.
const FLUSH_INTERVAL_MS = 100

/** All streams of one event, and what they receive. */
export interface Channel {
  streams: ReadonlySet<Stream>
  /** Adds a stream and sends it what it has missed since `lastEventId`, or `reset`. */
  join: (stream: Stream, lastEventId: string | undefined) => void
  leave: (stream: Stream) => void
  /** Sends a change to all streams, unless its message has been sent before. */
  send: (change: LiveChange, message?: { id: string; time: string }) => void
  /** Sends at once what waits to be sent. */
  flush: () => void
  /** Sends `reset` to all streams, so that their clients load everything again. */
  reset: () => void
  /** Removes old events. Returns whether the channel is still needed. */
  tidy: () => boolean
}

interface Deps {
  countsIntervalMs: number
  /** How long a channel without streams is kept, so that a client can resume. */
  idleMs: number
  metrics: LiveMetrics
}

export const createChannel = ({ countsIntervalMs, idleMs, metrics }: Deps): Channel => {
  const streams = new Set<Stream>()
  const recent = createRecentEvents()
  let idleSince = performance.now()
  let pending: { event: RecentEvent; time?: string | undefined }[] = []
  let counts: { added: number; ready: number } | undefined

  const deliver = (receivers: Iterable<Stream>, events: readonly RecentEvent[]): void => {
    const framesOf = (audience: Audience): Buffer =>
      Buffer.concat(events.filter((event) => concerns(audience, event)).map(({ frame }) => frame))
    const bytes = { member: framesOf('member'), wall: framesOf('wall') }
    const receiversOf = { member: 0, wall: 0 }
    for (const stream of receivers) {
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
      idleSince = performance.now()
    },
    send,
    flush,
    reset: () => {
      pending = []
      recent.restart()
      deliver([...streams], [recent.reset()])
    },
    tidy: () => {
      recent.removeOld()
      return streams.size > 0 || performance.now() - idleSince < idleMs
    },
  }
}
