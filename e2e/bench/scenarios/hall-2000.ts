import { startBenchSystem } from '../bench-system.ts'
import { createPhotoFactory } from '../guest-files.ts'
import { runWorkload, type RunResult } from '../run-workload.ts'
import { confettiTarget, type UploadPath } from '../targets/confetti.ts'
import { MB } from '../units.ts'
import { rowsOf } from './compare-targets.ts'
import type { Scenario } from './scenario.ts'

const RAMP_MS = 10_000
const MBIT_BYTES = 125_000

/** Four of five phones have 1 to 8 Mbit/s, in geometric steps; the fifth is not limited. */
const connectionOptions = (guestNumber: number) =>
  guestNumber % 5 === 0 ? {} : { bytesPerSecond: MBIT_BYTES * 2 ** ((guestNumber % 7) / 2) }

const peakBytesOf = ({ usage }: RunResult): number =>
  (usage.gateway?.peakBytes ?? 0) + (usage.uploads?.peakBytes ?? 0)

/** 2,000 guests on slow connections, after 50 of them, on the same processes. */
export const hall2000 = (path: UploadPath): Scenario => ({
  name: path === 'direct' ? 'hall-2000-direct' : 'hall-2000',
  description: `${path === 'direct' ? 'Straight to blob storage: ' : ''}2,000 guests arrive within 10 s, four of five on connections of 1 to 8 Mbit/s, and send 2 photos of 0.35 to 1.2 MB each; before them, 50 guests do the same. The media worker is running.`,
  run: async ({ rounds, profiles, print }) => {
    const createFiles = await createPhotoFactory({ maxBytes: 1.5 * MB })
    const few: RunResult[] = []
    const many: RunResult[] = []
    const aboveIdleBytes: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const benchSystem = await startBenchSystem({ profiles })
      const target = confettiTarget('Confetti', benchSystem, { withMedia: true, path })
      const workload = { filesPerGuest: 2, rampMs: RAMP_MS, connectionOptions, createFiles }
      few.push(await runWorkload(target, { ...workload, guests: 50 }))
      const result = await runWorkload(target, { ...workload, guests: 2_000 })
      many.push(result)
      const idleBytes = benchSystem.idleBytes('gateway') + benchSystem.idleBytes('uploads')
      aboveIdleBytes.push(peakBytesOf(result) - idleBytes)
      print(`  round ${round + 1}: ${result.files} files in ${result.seconds.toFixed(0)} s`)
      await target.stop()
    }
    return {
      rows: rowsOf(
        new Map([
          ['50 guests', few],
          ['2,000 guests', many],
        ]),
      ),
      thresholds: [
        { metric: 'Files that failed', values: many.map(({ failed }) => failed), limit: { atMost: 0 } },
        ...(path === 'direct'
          ? [
              {
                metric: 'Responses 503',
                values: many.map(({ rejections }) => rejections['503'] ?? 0),
                limit: { atMost: 0 },
              },
            ]
          : []),
        {
          metric: 'Peak memory of gateway and uploads together above idle, in MB',
          values: aboveIdleBytes.map((bytes) => bytes / MB),
          limit: { atMost: path === 'direct' ? 150 : 250 },
        },
        {
          metric: 'Peak memory of gateway and uploads with 2,000 guests, times that with 50',
          values: many.map((result, round) => peakBytesOf(result) / peakBytesOf(few[round] ?? result)),
          isRatio: true,
          limit: { atMost: 1.25 },
        },
      ],
    }
  },
})
