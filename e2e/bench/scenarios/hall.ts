import { confetti } from '../contenders/confetti.ts'
import { runCrowd, type Pass } from '../crowd.ts'
import { makePhotos } from '../guest-files.ts'
import { startStage } from '../stage.ts'
import { MB } from '../units.ts'
import { rowsOf } from './contest.ts'
import type { Scenario } from './scenario.ts'

const RAMP_MS = 10_000
const MEGABIT = 125_000

/** Four of five phones send 1 to 8 Mbit/s, most of them little; the fifth as much as goes through. */
const lineOf = (guest: number) =>
  guest % 5 === 0 ? {} : { bytesPerSecond: MEGABIT * 2 ** ((guest % 7) / 2) }

const peakOf = ({ used }: Pass): number => (used.gateway?.peakBytes ?? 0) + (used.uploads?.peakBytes ?? 0)

/** Two thousand guests on thin lines, after fifty, on the same processes. */
export const hall: Scenario = {
  name: 'hall-2000',
  about:
    '2,000 guests arrive within 10 s, four of five on lines of 1 to 8 Mbit/s, and send 2 photos of 0.35 to 1.2 MB each; before them 50 guests who do the same. The media worker is at work.',
  run: async ({ rounds, profiles, say }) => {
    const files = await makePhotos({ largest: 1.5 * MB })
    const few: Pass[] = []
    const many: Pass[] = []
    const aboveIdle: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const stage = await startStage({ profiles })
      const ours = confetti('Confetti', stage, { media: true })
      const crowd = { filesEach: 2, rampMs: RAMP_MS, lineOf, files }
      few.push(await runCrowd(ours, { ...crowd, guests: 50 }))
      const pass = await runCrowd(ours, { ...crowd, guests: 2_000 })
      many.push(pass)
      aboveIdle.push(peakOf(pass) - stage.idleBytes('gateway') - stage.idleBytes('uploads'))
      say(`  round ${round + 1}: ${pass.files} files in ${pass.seconds.toFixed(0)} s`)
      await ours.stop()
    }
    return {
      rows: rowsOf(
        new Map([
          ['50 guests', few],
          ['2,000 guests', many],
        ]),
      ),
      claims: [
        { what: 'Files that failed', values: many.map(({ failed }) => failed), wanted: { atMost: 0 } },
        {
          what: 'Peak memory of gateway and uploads together above idle, in MB',
          values: aboveIdle.map((bytes) => bytes / MB),
          wanted: { atMost: 300 },
        },
        {
          what: 'Peak memory of gateway and uploads with 2,000 guests, times that with 50',
          values: many.map((pass, round) => peakOf(pass) / peakOf(few[round] ?? pass)),
          isRatio: true,
          wanted: { atMost: 1.25 },
        },
      ],
    }
  },
}
