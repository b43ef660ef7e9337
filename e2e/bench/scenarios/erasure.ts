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
const POLL_MS = 1_000

const openRecords = async ({ system }: BenchSystem) => {
  const url = system.environment('uploads').MONGO_URL
  if (!url) throw new Error('The uploads service has no database')
  const connection = await mongoose.createConnection(url).asPromise()
  return {
    count: (eventId: string): Promise<number> => connection.collection('uploads').countDocuments({ eventId }),
    close: () => connection.close(),
  }
}

/** Deletes an event with 10,000 uploads while guests send to another one. */
export const erasure: Scenario = {
  name: 'erasure',
  description: `50 guests, who arrive within 10 s, send 8 photos of up to 1 MB each, to an event beside one with ${UPLOADS} uploads, and the same while that is erased. The media worker is stopped.`,
  run: async ({ rounds, profiles, print }) => {
    const benchSystem = await startBenchSystem({ profiles })
    const api = benchSystem.system.url('gateway')
    const headers = await signIn(api, benchSystem.admin)
    const records = await openRecords(benchSystem)
    const [createFiles, createSmallPhotos] = [
      await createPhotoFactory({ maxBytes: 1 * MB }),
      await createSmallPhotoFactory(),
    ]
    const target = confettiTarget('Confetti', benchSystem, { withMedia: false })
    const workload = { guests: 50, filesPerGuest: 8, rampMs: 10_000, createFiles }
    const alone: RunResult[] = []
    const during: RunResult[] = []
    const left: number[] = []
    const seconds: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const { event } = await createTestEvent(api, `${UPLOADS} uploads`, benchSystem.admin)
      await sendAll(api, { event }, createSmallPhotos(UPLOADS))
      alone.push(await runWorkload(target, workload))
      const startedAt = performance.now()
      const { status } = await fetch(`${api}/api/events/${event._id}`, { method: 'DELETE', headers })
      if (status !== 200) throw new Error(`The deletion returned ${status}`)
      during.push(await runWorkload(target, workload))
      left.push(await records.count(event._id))
      while ((await records.count(event._id)) > 0) await sleep(POLL_MS)
      seconds.push((performance.now() - startedAt) / 1_000)
      print(`  round ${round + 1}: ${left.at(-1)} uploads were left when the guests had sent`)
    }
    await records.close()
    await benchSystem.stop()
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
        { target: 'the erasure', figures: { 'uploads left afterwards': left, 'records gone s': seconds } },
      ],
      thresholds: [
        { metric: 'Files that failed', values: during.map(({ failed }) => failed), limit: { atMost: 0 } },
        {
          metric: 'Median latency of the guests of another event, times that without an erasure',
          values: ratioOf(p50),
          isRatio: true,
          limit: { atMost: 1.5 },
        },
        {
          metric: 'p95 latency of the guests of another event, times that without an erasure',
          values: ratioOf(p95),
          isRatio: true,
          limit: { atMost: 1.5 },
        },
      ],
    }
  },
}
