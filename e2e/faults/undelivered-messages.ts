import { setTimeout as sleep } from 'node:timers/promises'
import { servicesWithDatabase } from '@confetti/launcher'
import type { Harness } from '../harness.ts'

const gauges = ['outbox_pending', 'messaging_dead_letters']
const samplePattern = new RegExp(`^(${gauges.join('|')})(?:\\{[^}]*\\})? (\\d+)$`, 'gm')
// The services update these gauges every 10 s, so that a single reading may be outdated.
const STABLE_FOR_MS = 15_000

const readUndelivered = async ({ system }: Harness): Promise<string[]> => {
  const replicas = servicesWithDatabase.flatMap((name) => system.replicas(name))
  const found = await Promise.all(
    replicas.map(async ({ name, metricsUrl }) => {
      const text = await (await fetch(metricsUrl)).text()
      return [...text.matchAll(samplePattern)].map(([line, gauge, count]) => ({
        line: `${name}: ${line}`,
        gauge,
        count,
      }))
    }),
  )
  const samples = found.flat()
  // A service exports no dead-letter gauge before it has read its queues once.
  const missing = gauges.filter((name) => !samples.some(({ gauge }) => gauge === name))
  return [
    ...missing.map((name) => `no service exports ${name}`),
    ...samples.filter(({ count }) => count !== '0').map(({ line }) => line),
  ]
}

/** Waits until no message is pending in an outbox or dead-lettered. Returns the samples that are still above 0. */
export const findUndeliveredMessages = async (harness: Harness, timeoutMs = 90_000): Promise<string[]> => {
  const deadline = Date.now() + timeoutMs
  let clearSince: number | undefined
  for (;;) {
    const undelivered = await readUndelivered(harness)
    clearSince = undelivered.length > 0 ? undefined : (clearSince ?? Date.now())
    if (clearSince !== undefined && Date.now() - clearSince > STABLE_FOR_MS) return []
    if (Date.now() > deadline) return undelivered
    await sleep(1_000)
  }
}
