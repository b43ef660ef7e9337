import type { Metrics } from '@confetti/service-kit'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { QueueName } from './topology.ts'

const outcomes = ['handled', 'retried', 'unavailable', 'dead'] as const
type Outcome = (typeof outcomes)[number]

/** The messaging metrics of a service that consumes `queues`. */
export const createMessagingMetrics = (registry: Metrics, queues: readonly QueueName[]) => {
  const registers = [registry]
  const published = new Counter({
    name: 'messaging_published_total',
    help: 'Messages that the broker has confirmed',
    labelNames: ['type'] as const,
    registers,
  })
  const deliveries = new Counter({
    name: 'messaging_handled_total',
    help: 'Deliveries by outcome: handled, retried later, delayed because a dependency was unavailable, or dead-lettered',
    labelNames: ['queue', 'outcome'] as const,
    registers,
  })
  // Starting at zero: Prometheus sees no increase in a series that starts at one.
  for (const queue of queues) for (const outcome of outcomes) deliveries.inc({ queue, outcome }, 0)
  const age = new Histogram({
    name: 'messaging_message_age_seconds',
    help: 'Seconds from the creation of a message to its first delivery: outbox and queue together',
    labelNames: ['queue'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60, 300, 900, 3_600],
    registers,
  })
  const ready = new Gauge({
    name: 'messaging_queue_messages',
    help: 'Messages that are ready in a queue, as last reported by the broker',
    labelNames: ['queue'] as const,
    registers,
  })
  const dead = new Gauge({
    name: 'messaging_dead_letters',
    help: 'Dead letters of a queue, as last reported by the broker',
    labelNames: ['queue'] as const,
    registers,
  })
  const retried = new Gauge({
    name: 'messaging_retry_messages',
    help: 'Messages of all queues that wait for a retry, by the delay, as last reported by the broker',
    labelNames: ['delay_seconds'] as const,
    registers,
  })
  return {
    observeConnection: (isConnected: () => boolean): void => {
      new Gauge({
        name: 'messaging_broker_connected',
        help: '1 while there is a connection to the broker',
        registers,
        collect() {
          this.set(isConnected() ? 1 : 0)
        },
      })
    },
    published: (type: string): void => published.inc({ type }),
    handled: (queue: QueueName, outcome: Outcome): void => deliveries.inc({ queue, outcome }),
    firstAttempt: (queue: QueueName, time: string): void =>
      age.observe({ queue }, Math.max(0, Date.now() - Date.parse(time)) / 1_000),
    /** A length that is unknown now keeps its last value. */
    queueLengths: (queue: QueueName, lengths: Record<'ready' | 'dead', number | undefined>): void => {
      if (lengths.ready !== undefined) ready.set({ queue }, lengths.ready)
      if (lengths.dead !== undefined) dead.set({ queue }, lengths.dead)
    },
    retryQueueLength: (delayMs: number, length: number | undefined): void => {
      if (length !== undefined) retried.set({ delay_seconds: delayMs / 1_000 }, length)
    },
  }
}
export type MessagingMetrics = ReturnType<typeof createMessagingMetrics>
