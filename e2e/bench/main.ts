import { parseArgs } from 'node:util'
import { ensurePrograms } from '@confetti/backends'
import { mediaTools } from '../../scripts/media-tools.ts'
import { markdownOf, publish, reportOf } from './report.ts'
import { burst } from './scenarios/burst.ts'
import { hall } from './scenarios/hall.ts'
import { listing } from './scenarios/listing.ts'
import { mediaWork } from './scenarios/media-work.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { videos } from './scenarios/videos.ts'

// Measures the system beside the least that could do its work, on real servers and real bytes. Without a name: all
// scenarios.

const scenarios: readonly Scenario[] = [burst(50), burst(500), hall, videos, listing, mediaWork]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, profiles: { type: 'string' } },
})
const rounds = Number(values.rounds)
const { profiles } = values
// Fewer rounds have no spread, and taking a profile costs what is measured.
const worthKeeping = rounds >= 3 && !profiles
const unknown = positionals.filter((name) => !scenarios.some((scenario) => scenario.name === name))
if (unknown.length > 0 || !(rounds >= 1))
  throw new Error(
    `npm run bench -- [--rounds 3] [--profiles folder] [${scenarios.map(({ name }) => name).join(' | ')}]`,
  )

const say = (line: string): void => console.log(line)
await ensurePrograms(mediaTools, say)
const minutesSince = (began: number): number => (performance.now() - began) / 60_000
const beganAll = performance.now()
for (const scenario of scenarios.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
)) {
  say(`${scenario.name}: ${scenario.about}`)
  const began = performance.now()
  const result = await scenario.run({ rounds, profiles, say })
  const report = reportOf(scenario, result, { rounds, minutes: minutesSince(began) })
  say(`\n${markdownOf(report, scenario.about)}\n`)
  if (worthKeeping) await publish(report, scenario)
}
say(`All of that took ${minutesSince(beganAll).toFixed(1)} minutes.`)
