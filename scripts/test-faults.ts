import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePrograms, startBackends } from '@confetti/backends'
import { formatReport, readReports } from '../e2e/faults/scenario-report.ts'
import { runSelfTest } from '../e2e/faults/self-test.ts'
import { getBackendAddresses } from './backend-addresses.ts'
import { ensureBrowser } from './browser.ts'
import { runJest } from './jest.ts'
import { mediaTools } from './media-tools.ts'
import { root } from './paths.ts'

// Runs the scenarios in e2e/faults, or those that the command line names, on their own backends, and prints a
// report of each at the end. With --self-test: checks that the scenarios catch the seeded bugs, or those
// whose names contain the text that follows, or one part of them (--shard=1/4).

/** Programs that download and test archives. */
const archiveTools = [
  { program: 'curl', debianPackage: 'curl' },
  { program: 'unzip', debianPackage: 'unzip' },
]

const args = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'confetti-faults-run-'))

const runScenarios = async (environment: NodeJS.ProcessEnv): Promise<boolean> => {
  const resultsFile = join(folder, 'results.jsonl')
  // A scenario that fails may leave handles open; the run must end nevertheless.
  const { passed } = await runJest(['--config', 'e2e/faults/jest.config.js', '--forceExit', ...args], {
    ...environment,
    CONFETTI_FAULTS_RESULTS: resultsFile,
  })
  const reports = await readReports(resultsFile)
  for (const report of reports) console.log(formatReport(report))
  const reportFile = process.env.CONFETTI_FAULTS_REPORT
  if (reportFile) await writeFile(reportFile, `${JSON.stringify(reports, null, 2)}\n`)
  return passed
}

try {
  await ensurePrograms([...mediaTools, ...archiveTools], console.log)
  await ensureBrowser(console.log)
  const backends = await startBackends({ dataDir: join(folder, 'backends'), report: console.log })
  try {
    const environment = { CONFETTI_TEST_BACKENDS: JSON.stringify(getBackendAddresses(backends)) }
    const [first, second = ''] = args
    const [, index, of] = /^--shard=(\d+)\/(\d+)$/.exec(second) ?? []
    const passed =
      first === '--self-test'
        ? await runSelfTest({
            root,
            environment,
            nameFilter: index ? '' : second,
            shard: index ? { index: Number(index), of: Number(of) } : undefined,
            print: console.log,
          })
        : await runScenarios(environment)
    process.exitCode = passed ? 0 : 1
  } finally {
    await backends.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
