import { liveEvents } from '@confetti/contracts'
import type { Service } from '@confetti/service-kit'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Config } from './config.ts'
import { closeReasons, type CloseReason } from './following/stream.ts'

export type RefusalReason = 'limit' | 'event_limit' | 'draining' | 'broker'

export const createLiveMetrics = ({ config, registry, clock }: Service<Config>) => {
  const registers = [registry]
  const streams = new Gauge({ name: 'live_streams', help: 'Open streams', registers })
  new Gauge({ name: 'live_streams_limit', help: 'The most open streams', registers }).set(config.MAX_STREAMS)
  const closed = new Counter({
    name: 'live_streams_closed_total',
    help: 'Streams that have ended, by reason',
    labelNames: ['reason'] as const,
    registers,
  })
  for (const reason of closeReasons) closed.inc({ reason }, 0)
  const refused = new Counter({
    name: 'live_streams_refused_total',
    help: 'Streams that were answered 503, by reason',
    labelNames: ['reason'] as const,
    registers,
  })
  const sent = new Counter({
    name: 'live_events_sent_total',
    help: 'Events that were written to streams, by name; each stream counts',
    labelNames: ['name'] as const,
    registers,
  })
  for (const name of Object.keys(liveEvents)) sent.inc({ name }, 0)
  const messages = new Counter({
    name: 'live_messages_total',
    help: 'Messages received, by type',
    labelNames: ['type'] as const,
    registers,
  })
  const delay = new Histogram({
    name: 'live_delivery_seconds',
    help: 'Seconds from the creation of a message until it was written to the streams of its event',
    buckets: [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30],
    registers,
  })
  return {
    opened: (): void => streams.inc(),
    closed: (reason: CloseReason): void => {
      streams.dec()
      closed.inc({ reason })
    },
    refused: (reason: RefusalReason): void => refused.inc({ reason }),
    sent: (name: string, count: number): void => sent.inc({ name }, count),
    received: (type: string): void => messages.inc({ type }),
    /** `time` is when the message was created. */
    delivered: (time: string): void =>
      delay.observe(Math.max(0, clock().getTime() - Date.parse(time)) / 1_000),
  }
}
export type LiveMetrics = ReturnType<typeof createLiveMetrics>
