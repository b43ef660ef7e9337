import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePrograms, startBackends } from '@confetti/backends'
import { describeLine, readLines } from '../e2e/faults/seen.ts'
import { testTheTester } from '../e2e/faults/self-test.ts'
import { runJest } from './jest.ts'
import { mediaTools } from './media-tools.ts'
import { addressesOf, root } from './places.ts'

// Plays the scenarios in e2e/faults, or those that the command line names, on backends of this run's own, and shows
// at the end what guests saw in each. With --self-test: whether the scenarios catch the bugs in seeded-bugs, or
// those whose names have the words that follow.

const args = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'confetti-faults-run-'))

const playScenarios = async (environment: NodeJS.ProcessEnv): Promise<boolean> => {
  const seen = join(folder, 'seen.jsonl')
  // A scenario that fails may leave things open that nobody will close; the run ends all the same.
  const passed = await runJest(['--config', 'e2e/faults/jest.config.js', '--forceExit', ...args], {
    ...environment,
    CONFETTI_FAULTS_SEEN: seen,
  })
  const lines = await readLines(seen)
  for (const line of lines) console.log(describeLine(line))
  const reportFile = process.env.CONFETTI_FAULTS_REPORT
  if (reportFile) await writeFile(reportFile, `${JSON.stringify(lines, null, 2)}\n`)
  return passed
}

try {
  await ensurePrograms(mediaTools, console.log)
  const backends = await startBackends({ dataDir: join(folder, 'backends'), report: console.log })
  try {
    const environment = { CONFETTI_TEST_BACKENDS: JSON.stringify(addressesOf(backends)) }
    const [first, words = ''] = args
    const passed =
      first === '--self-test'
        ? await testTheTester({ root, environment, words, say: console.log })
        : await playScenarios(environment)
    process.exitCode = passed ? 0 : 1
  } finally {
    await backends.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
