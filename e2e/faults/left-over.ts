import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceName } from '@confetti/launcher'
import type { Stand } from '../stand.ts'

const services: readonly ServiceName[] = ['auth', 'events', 'uploads', 'contact', 'media']
const gauges = ['outbox_pending', 'messaging_dead_letters']
const watched = new RegExp(`^(${gauges.join('|')})(?:\\{[^}]*\\})? (\\d+)$`, 'gm')
// The services look every 10 s, so what they said before may be old.
const LOOKED_AGAIN_MS = 15_000

const leftIn = async ({ system }: Stand): Promise<string[]> => {
  const replicas = services.flatMap((name) => system.replicas(name))
  const found = await Promise.all(
    replicas.map(async ({ name, metricsUrl }) => {
      const text = await (await fetch(metricsUrl)).text()
      return [...text.matchAll(watched)].map(([line, gauge, count]) => ({
        line: `${name}: ${line}`,
        gauge,
        count,
      }))
    }),
  )
  const lines = found.flat()
  // Who has not looked at the dead letters yet says nothing about them.
  const unsaid = gauges.filter((name) => !lines.some(({ gauge }) => gauge === name))
  return [
    ...unsaid.map((name) => `no service says ${name}`),
    ...lines.filter(({ count }) => count !== '0').map(({ line }) => line),
  ]
}

/** What waits in an outbox or lies with the dead letters, and stays there; nothing, if all went well. */
export const leftOver = async (stand: Stand, withinMs = 90_000): Promise<string[]> => {
  const giveUpAt = Date.now() + withinMs
  let clearSince: number | undefined
  for (;;) {
    const left = await leftIn(stand)
    clearSince = left.length > 0 ? undefined : (clearSince ?? Date.now())
    if (clearSince !== undefined && Date.now() - clearSince > LOOKED_AGAIN_MS) return []
    if (Date.now() > giveUpAt) return left
    await sleep(1_000)
  }
}
