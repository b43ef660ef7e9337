import { parseArgs } from 'node:util'
import { ensurePrograms } from '@confetti/backends'
import { ensureBrowser } from '../../scripts/browser.ts'
import { mediaTools } from '../../scripts/media-tools.ts'
import { createReport, formatMarkdown, saveReport } from './report.ts'
import { archive } from './scenarios/archive.ts'
import { burst } from './scenarios/burst.ts'
import { erasure } from './scenarios/erasure.ts'
import { galleryMemory } from './scenarios/gallery-memory.ts'
import { galleryViewers } from './scenarios/gallery-viewers.ts'
import { gallery } from './scenarios/gallery.ts'
import { hall2000 } from './scenarios/hall-2000.ts'
import { hall5000 } from './scenarios/hall-5000.ts'
import { lighthouse } from './scenarios/lighthouse.ts'
import { listing } from './scenarios/listing.ts'
import { media } from './scenarios/media.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { streams } from './scenarios/streams.ts'
import { videos } from './scenarios/videos.ts'
import { wallHour } from './scenarios/wall-hour.ts'
import { wall } from './scenarios/wall.ts'

// Runs the benchmark scenarios that the command line names, or all but the long ones.

const scenarios: readonly Scenario[] = [
  burst(50),
  burst(500),
  hall2000('multipart'),
  hall2000('direct'),
  hall5000,
  videos,
  listing,
  media,
  archive,
  erasure,
  wall,
  wallHour,
  streams,
  gallery,
  galleryViewers,
  lighthouse,
  galleryMemory,
]

const FULL_HALL = 5_000
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '60' },
    guests: { type: 'string', default: String(FULL_HALL) },
    profiles: { type: 'string' },
  },
})
const minutes = Number(values.minutes)
const guests = Number(values.guests)
const { profiles } = values
const roundsOf = ({ isLong }: Scenario): number => (isLong ? 1 : Number(values.rounds))
// Fewer than three rounds show no spread, less than an hour no slow growth, fewer guests no full hall, and profiling slows down what is measured.
const shouldSave = (scenario: Scenario): boolean =>
  !profiles && (scenario.isLong ? minutes >= 60 && guests >= FULL_HALL : roundsOf(scenario) >= 3)
const unknownNames = positionals.filter((name) => !scenarios.some((scenario) => scenario.name === name))
if (unknownNames.length > 0 || !(Number(values.rounds) >= 1) || !(minutes >= 1) || !(guests >= 2))
  throw new Error(
    `npm run bench -- [--rounds 3] [--minutes 60] [--guests 5000] [--profiles folder] [${scenarios.map(({ name }) => name).join(' | ')}]`,
  )

const print = (line: string): void => console.log(line)
await ensurePrograms(mediaTools, print)
await ensureBrowser(print)
const minutesSince = (startedAt: number): number => (performance.now() - startedAt) / 60_000
const runStartedAt = performance.now()
for (const scenario of scenarios.filter(({ name, isLong }) =>
  positionals.length === 0 ? !isLong : positionals.includes(name),
)) {
  const rounds = roundsOf(scenario)
  print(`${scenario.name}: ${scenario.description}`)
  const startedAt = performance.now()
  const result = await scenario.run({ rounds, minutes, guests, profiles, print })
  const report = createReport(scenario, result, { rounds, minutes: minutesSince(startedAt) })
  print(`\n${formatMarkdown(report, scenario.description)}\n`)
  if (shouldSave(scenario)) await saveReport(report, scenario)
}
print(`The run took ${minutesSince(runStartedAt).toFixed(1)} minutes.`)
