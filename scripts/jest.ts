import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { root } from './paths.ts'
import type { FinishedFile } from './test-times.ts'

/** The command that runs Jest. */
const JEST_COMMAND = [
  process.execPath,
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
] as const

/** The test files that Jest finds for these arguments, by their paths in the repository. */
export const listTests = async (args: readonly string[]): Promise<string[]> => {
  const [command, ...commandArgs] = JEST_COMMAND
  const { stdout } = await promisify(execFile)(command, [...commandArgs, '--listTests', '--json', ...args], {
    cwd: root,
    maxBuffer: 2 ** 26,
  })
  return (JSON.parse(stdout) as string[]).map((file) => relative(root, file).replaceAll('\\', '/'))
}

/** Runs Jest and prints a summary of one line. Resolves with whether all tests passed, and the files that ran. */
export const runJest = async (
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<{ passed: boolean; files: FinishedFile[] }> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-results-'))
  const resultsFile = join(folder, 'results.json')
  const [command, ...commandArgs] = JEST_COMMAND
  const jest = spawn(command, [...commandArgs, '--json', `--outputFile=${resultsFile}`, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const stop = (): void => void jest.kill('SIGTERM')
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const [code] = (await once(jest, 'exit')) as [number | null]
  // Jest writes no results if a signal stops it.
  const resultsText = await readFile(resultsFile, 'utf8').catch(() => undefined)
  await rm(folder, { recursive: true })
  if (resultsText === undefined) {
    console.error('Jest ended without results.')
    return { passed: false, files: [] }
  }
  const results = JSON.parse(resultsText) as {
    numPassedTests: number
    numFailedTests: number
    numRuntimeErrorTestSuites: number
    testResults: { name: string; startTime: number; endTime: number }[]
  }
  // A test file that cannot be loaded counts as a failure.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
  console.log(`${results.numPassedTests} passed, ${failed} failed`)
  const files = results.testResults.map(({ name, startTime, endTime }) => ({
    path: relative(root, name).replaceAll('\\', '/'),
    seconds: (endTime - startTime) / 1_000,
  }))
  return { passed: code === 0 && failed === 0, files }
}
