import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePrograms, startBackends } from '@confetti/backends'
import { buildFrontends, type BackendAddresses } from '@confetti/launcher'
import { browserTool } from './browser.ts'
import { mediaTools } from './media-tools.ts'
import { addressesOf, root } from './places.ts'

// Runs Jest with what is on the command line, on backends of this run's own, and sums up in one line.

const say = (line: string): void => console.log(line)

const runJest = async (folder: string, addresses: BackendAddresses): Promise<boolean> => {
  const resultsFile = join(folder, 'results.json')
  const jest = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      join(root, 'node_modules/jest/bin/jest.js'),
      '--json',
      `--outputFile=${resultsFile}`,
      ...process.argv.slice(2),
    ],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CONFETTI_TEST_BACKENDS: JSON.stringify(addresses) },
    },
  )
  const stop = (): void => void jest.kill('SIGTERM')
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const [code] = (await once(jest, 'exit')) as [number | null]
  const results = JSON.parse(await readFile(resultsFile, 'utf8')) as {
    numPassedTests: number
    numFailedTests: number
    numRuntimeErrorTestSuites: number
  }
  // A file that could not be run at all is a failure, too.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
  say(`${results.numPassedTests} passed, ${failed} failed`)
  return code === 0 && failed === 0
}

const folder = await mkdtemp(join(tmpdir(), 'confetti-tests-'))
try {
  await ensurePrograms([...mediaTools, browserTool], say)
  await buildFrontends()
  const backends = await startBackends({ dataDir: join(folder, 'backends'), report: say })
  try {
    const passed = await runJest(folder, addressesOf(backends))
    process.exitCode = passed ? 0 : 1
  } finally {
    await backends.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
