import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { violationsIn } from './violations.ts'

interface Results {
  testResults: {
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/** What came of a scenario: a promise to its users did not hold, or it could not be played as it should. */
export type Outcome =
  | { verdict: 'passed' }
  | { verdict: 'broken promise'; violations: string[]; why: string }
  | { verdict: 'not played'; why: string }

const escaped = (words: string): string => words.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const outcomeIn = ({ testResults: [suite] }: Results): Outcome => {
  const played = suite?.assertionResults.filter(({ status }) => status !== 'pending') ?? []
  if (played.length === 0)
    return { verdict: 'not played', why: suite?.message ?? 'no scenario has these words' }
  const failures = played
    .filter(({ status }) => status !== 'passed')
    .map((each) => each.failureMessages.join('\n'))
  if (failures.length === 0) return { verdict: 'passed' }
  const violations = failures.flatMap(violationsIn)
  const why = failures.join('\n')
  return violations.length > 0
    ? { verdict: 'broken promise', violations, why }
    : { verdict: 'not played', why }
}

/** Plays a scenario with the code in `root`, by a file's name and words of the scenario's; a table's, all of it. */
export const runScenario = async (
  root: string,
  { file, scenario }: { file: string; scenario: string },
  environment: NodeJS.ProcessEnv,
): Promise<Outcome> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-results-'))
  const resultsFile = join(folder, 'results.json')
  const args = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--config',
    join(root, 'e2e/faults/jest.config.js'),
    '--runTestsByPath',
    join(root, `e2e/faults/${file}.faults.ts`),
    '--testNamePattern',
    escaped(scenario),
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
    return outcomeIn(JSON.parse(await readFile(resultsFile, 'utf8')) as Results)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
