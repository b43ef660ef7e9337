import { parseArgs } from 'node:util'
import { ensurePrograms } from '@confetti/backends'
import { ensureBrowser } from '../../scripts/browser.ts'
import { mediaTools } from '../../scripts/media-tools.ts'
import { createReport, formatMarkdown, saveReport } from './report.ts'
import { archive } from './scenarios/archive.ts'
import { burst } from './scenarios/burst.ts'
import { erasure } from './scenarios/erasure.ts'
import { gallery } from './scenarios/gallery.ts'
import { hall2000 } from './scenarios/hall-2000.ts'
import { listing } from './scenarios/listing.ts'
import { media } from './scenarios/media.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { streams } from './scenarios/streams.ts'
import { videos } from './scenarios/videos.ts'
import { wall } from './scenarios/wall.ts'

// Runs the benchmark scenarios that the command line names, or all of them.

const scenarios: readonly Scenario[] = [
  burst(50),
  burst(500),
  hall2000('multipart'),
  hall2000('direct'),
  videos,
  listing,
  media,
  archive,
  erasure,
  wall,
  streams,
  gallery,
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, profiles: { type: 'string' } },
})
const rounds = Number(values.rounds)
const { profiles } = values
// Fewer than three rounds show no spread, and profiling slows down what is measured.
const shouldSave = rounds >= 3 && !profiles
const unknownNames = positionals.filter((name) => !scenarios.some((scenario) => scenario.name === name))
if (unknownNames.length > 0 || !(rounds >= 1))
  throw new Error(
    `npm run bench -- [--rounds 3] [--profiles folder] [${scenarios.map(({ name }) => name).join(' | ')}]`,
  )

const print = (line: string): void => console.log(line)
await ensurePrograms(mediaTools, print)
await ensureBrowser(print)
const minutesSince = (startedAt: number): number => (performance.now() - startedAt) / 60_000
const runStartedAt = performance.now()
for (const scenario of scenarios.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
)) {
  print(`${scenario.name}: ${scenario.description}`)
  const startedAt = performance.now()
  const result = await scenario.run({ rounds, profiles, print })
  const report = createReport(scenario, result, { rounds, minutes: minutesSince(startedAt) })
  print(`\n${formatMarkdown(report, scenario.description)}\n`)
  if (shouldSave) await saveReport(report, scenario)
}
print(`The run took ${minutesSince(runStartedAt).toFixed(1)} minutes.`)
