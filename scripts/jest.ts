import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './paths.ts'

/** Runs Jest and prints a summary of one line. Resolves with whether all tests passed. */
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
  // Jest writes no results if a signal stops it.
  const resultsText = await readFile(resultsFile, 'utf8').catch(() => undefined)
  await rm(folder, { recursive: true })
  if (resultsText === undefined) {
    console.error('Jest ended without results.')
    return false
  }
  const results = JSON.parse(resultsText) as {
    numPassedTests: number
    numFailedTests: number
    numRuntimeErrorTestSuites: number
  }
  // A test file that cannot be loaded counts as a failure.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
  console.log(`${results.numPassedTests} passed, ${failed} failed`)
  return code === 0 && failed === 0
}
