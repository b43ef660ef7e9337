import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseViolations } from './invariant-violations.ts'

interface JestResults {
  testResults: {
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/** `error`: the scenario did not run to its end, for example because its system did not start. */
export type Outcome =
  | { status: 'passed' }
  | { status: 'violated'; violations: string[]; output: string }
  | { status: 'error'; output: string }

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Whether a seeded bug names a test by the path of its file, and no scenario. */
const isTestFile = (file: string): boolean => file.endsWith('.test.ts')

/** The file with the scenario, or test, that must catch a seeded bug. */
export const scenarioFileOf = (root: string, file: string): string =>
  join(root, isTestFile(file) ? file : `e2e/faults/${file}.faults.ts`)

const toOutcome = ({ testResults: [suite] }: JestResults, isTest: boolean): Outcome => {
  const executed = suite?.assertionResults.filter(({ status }) => status !== 'pending') ?? []
  if (executed.length === 0)
    return { status: 'error', output: suite?.message ?? 'no scenario with this text in its name' }
  const failures = executed
    .filter(({ status }) => status !== 'passed')
    .map((each) => each.failureMessages.join('\n'))
  if (failures.length === 0) return { status: 'passed' }
  const violations = isTest ? failures.map((each) => `assertion: ${each}`) : failures.flatMap(parseViolations)
  const output = failures.join('\n')
  return violations.length > 0 ? { status: 'violated', violations, output } : { status: 'error', output }
}

/** Stands for the simulation where a seeded bug names the file of its scenario. */
export const SIMULATION = 'simulation'
const SEEDS = 2_000

/** Plays evenings with the code in `root`, until each process of the simulation has found a promise that is broken. */
const playEvenings = async (root: string): Promise<Outcome> => {
  const args = [join(root, 'simulation/src/main.ts'), '--seeds', String(SEEDS), '--failures', '1']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  )
  const violations = [...stdout.matchAll(/^Seed \d+: BrokenPromise: (.+)$/gm)].map(
    ([, what = '']) => `broken: ${what}`,
  )
  const output = `${stdout}\n${stderr}`
  if (violations.length > 0) return { status: 'violated', violations, output }
  return / 0 failed$/m.test(stdout) ? { status: 'passed' } : { status: 'error', output }
}

/**
 * Runs those scenarios of a file, or tests, that have this text in their names, with the code in `root`, in a Jest process
 * of their own. A text in the title of a table selects the whole table.
 */
export const spawnScenario = async (
  root: string,
  { file, scenario }: { file: string; scenario: string },
  environment: NodeJS.ProcessEnv,
): Promise<Outcome> => {
  if (file === SIMULATION) return playEvenings(root)
  const folder = await mkdtemp(join(tmpdir(), 'confetti-results-'))
  const resultsFile = join(folder, 'results.json')
  const args = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--config',
    join(root, isTestFile(file) ? 'jest.config.js' : 'e2e/faults/jest.config.js'),
    '--runTestsByPath',
    scenarioFileOf(root, file),
    '--testNamePattern',
    escapeRegExp(scenario),
    '--forceExit',
    '--json',
    `--outputFile=${resultsFile}`,
  ]
  try {
    const jest = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, ...environment },
    })
    const stop = (): void => void jest.kill('SIGTERM')
    process.once('SIGINT', stop).once('SIGTERM', stop)
    await once(jest, 'exit')
    process.off('SIGINT', stop).off('SIGTERM', stop)
    return toOutcome(JSON.parse(await readFile(resultsFile, 'utf8')) as JestResults, isTestFile(file))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
