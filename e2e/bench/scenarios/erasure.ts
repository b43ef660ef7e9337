import { setTimeout as sleep } from 'node:timers/promises'
import mongoose from 'mongoose'
import { createTestEvent } from '../../smoke/test-event.ts'
import { startBenchSystem, type BenchSystem } from '../bench-system.ts'
import { createPhotoFactory, createSmallPhotoFactory } from '../guest-files.ts'
import { runWorkload, type RunResult } from '../run-workload.ts'
import { sendAll } from '../send-all.ts'
import { signIn } from '../sign-in.ts'
import { percentile } from '../statistics.ts'
import { confettiTarget } from '../targets/confetti.ts'
import { MB } from '../units.ts'
import { p95, rowsOf } from './compare-targets.ts'
import type { Scenario } from './scenario.ts'

const UPLOADS = 10_000
const MAX_MINUTES = 20

const countUploads = async ({ system }: BenchSystem, eventId: string): Promise<number> => {
  const url = system.environment('uploads').MONGO_URL
  if (!url) throw new Error('The uploads service has no database')
  const connection = await mongoose.createConnection(url).asPromise()
  const count = await connection.collection('uploads').countDocuments({ eventId })
  await connection.close()
  return count
}

const waitUntilErased = async (benchSystem: BenchSystem, eventId: string): Promise<void> => {
  const deadline = performance.now() + MAX_MINUTES * 60_000
  // Seldom: counting costs the database as much as some of the guests do.
  while ((await countUploads(benchSystem, eventId)) > 0) {
    if (performance.now() > deadline) throw new Error(`Not erased within ${MAX_MINUTES} minutes`)
    await sleep(10_000)
  }
}

/** Deletes an event with 10,000 uploads while guests send to another one. */
export const erasure: Scenario = {
  name: 'erasure',
  description: `50 guests, who arrive within 10 s, send 8 photos of up to 1 MB each, to an event beside one with ${UPLOADS} uploads, and the same while these are erased. The media worker is stopped.`,
  run: async ({ rounds, profiles, print }) => {
    const [createFiles, createSmallPhotos] = [
      await createPhotoFactory({ maxBytes: 1 * MB }),
      await createSmallPhotoFactory(),
    ]
    const workload = { guests: 50, filesPerGuest: 8, rampMs: 10_000, createFiles }
    const alone: RunResult[] = []
    const during: RunResult[] = []
    const minutes: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      // A system for each round: the erasure continues after the guests have sent.
      const benchSystem = await startBenchSystem({ profiles })
      const api = benchSystem.system.url('gateway')
      const target = confettiTarget('Confetti', benchSystem, { withMedia: false })
      const { event } = await createTestEvent(api, `${UPLOADS} uploads`, benchSystem.admin)
      await sendAll(api, { event }, createSmallPhotos(UPLOADS))
      alone.push(await runWorkload(target, workload))
      const headers = await signIn(api, benchSystem.admin)
      const { status } = await fetch(`${api}/api/events/${event._id}`, { method: 'DELETE', headers })
      if (status !== 200) throw new Error(`The deletion returned ${status}`)
      const startedAt = performance.now()
      const erased = waitUntilErased(benchSystem, event._id)
      during.push(await runWorkload(target, workload))
      await erased
      minutes.push((performance.now() - startedAt) / 60_000)
      await benchSystem.stop()
      print(`  round ${round + 1}: erased in ${minutes.at(-1)?.toFixed(1)} minutes`)
    }
    const p50 = ({ acknowledgedMs }: RunResult): number => percentile(acknowledgedMs, 0.5)
    const ratioOf = (figure: (result: RunResult) => number): number[] =>
      during.map((result, round) => figure(result) / figure(alone[round] ?? result))
    return {
      rows: [
        ...rowsOf(
          new Map([
            ['no erasure', alone],
            ['during the erasure', during],
          ]),
        ),
        { target: 'the erasure', figures: { minutes } },
      ],
      thresholds: [
        { metric: 'Minutes until all uploads are erased', values: minutes, limit: { atMost: 5 } },
        { metric: 'Files that failed', values: during.map(({ failed }) => failed), limit: { atMost: 0 } },
        {
          metric: 'Median latency of the guests of another event, times that without an erasure',
          values: ratioOf(p50),
          isRatio: true,
          limit: { atMost: 1.2 },
        },
        {
          metric: 'p95 latency of the guests of another event, times that without an erasure',
          values: ratioOf(p95),
          isRatio: true,
          limit: { atMost: 1.2 },
        },
      ],
    }
  },
}
