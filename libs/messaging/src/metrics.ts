import type { Metrics } from '@confetti/service-kit'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { QueueName } from './topology.ts'

const outcomes = ['handled', 'retried', 'dead'] as const
type Outcome = (typeof outcomes)[number]

/** What can be seen of a service's part in the conversation. `queues` are those that it consumes. */
export const createMessagingMetrics = (registry: Metrics, queues: readonly QueueName[]) => {
  const registers = [registry]
  const published = new Counter({
    name: 'messaging_published_total',
    help: 'Facts that the broker has confirmed',
    labelNames: ['type'] as const,
    registers,
  })
  const handled = new Counter({
    name: 'messaging_handled_total',
    help: 'Facts that were taken up, by what became of them',
    labelNames: ['queue', 'outcome'] as const,
    registers,
  })
  // From the start: what was never counted before its first time is no increase to Prometheus.
  for (const queue of queues) for (const outcome of outcomes) handled.inc({ queue, outcome }, 0)
  const age = new Histogram({
    name: 'messaging_message_age_seconds',
    help: 'Seconds from a fact to its being taken up for the first time: outbox and queue together',
    labelNames: ['queue'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60, 300, 900, 3_600],
    registers,
  })
  const waiting = new Gauge({
    name: 'messaging_queue_messages',
    help: 'Facts that wait in a queue, as the broker last said',
    labelNames: ['queue'] as const,
    registers,
  })
  const dead = new Gauge({
    name: 'messaging_dead_letters',
    help: 'Dead letters of a queue, as the broker last said',
    labelNames: ['queue'] as const,
    registers,
  })
  const retried = new Gauge({
    name: 'messaging_retry_messages',
    help: 'Facts of all queues that wait for their next attempt, by how long each waits, as the broker last said',
    labelNames: ['delay_seconds'] as const,
    registers,
  })
  return {
    showConnection: (connected: () => boolean): void => {
      new Gauge({
        name: 'messaging_broker_connected',
        help: '1 while there is a connection to the broker',
        registers,
        collect() {
          this.set(connected() ? 1 : 0)
        },
      })
    },
    published: (type: string): void => published.inc({ type }),
    settled: (queue: QueueName, outcome: Outcome): void => handled.inc({ queue, outcome }),
    takenUp: (queue: QueueName, time: string): void =>
      age.observe({ queue }, Math.max(0, Date.now() - Date.parse(time)) / 1_000),
    /** What is not known now stays as it was. */
    lengths: (queue: QueueName, now: Record<'waiting' | 'dead', number | undefined>): void => {
      if (now.waiting !== undefined) waiting.set({ queue }, now.waiting)
      if (now.dead !== undefined) dead.set({ queue }, now.dead)
    },
    setAside: (delayMs: number, now: number | undefined): void => {
      if (now !== undefined) retried.set({ delay_seconds: delayMs / 1_000 }, now)
    },
  }
}
export type MessagingMetrics = ReturnType<typeof createMessagingMetrics>
