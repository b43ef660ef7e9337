import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './places.ts'

/** Runs Jest to its end and sums up in one line; whether all passed. */
export const runJest = async (args: readonly string[], environment: NodeJS.ProcessEnv): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-results-'))
  const resultsFile = join(folder, 'results.json')
  const jest = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      join(root, 'node_modules/jest/bin/jest.js'),
      '--json',
      `--outputFile=${resultsFile}`,
      ...args,
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...environment } },
  )
  const stop = (): void => void jest.kill('SIGTERM')
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const [code] = (await once(jest, 'exit')) as [number | null]
  const results = JSON.parse(await readFile(resultsFile, 'utf8')) as {
    numPassedTests: number
    numFailedTests: number
    numRuntimeErrorTestSuites: number
  }
  await rm(folder, { recursive: true })
  // A file that could not be run at all is a failure, too.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
  console.log(`${results.numPassedTests} passed, ${failed} failed`)
  return code === 0 && failed === 0
}
