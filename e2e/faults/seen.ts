import { appendFile, readFile } from 'node:fs/promises'
import type { Violation } from './violations.ts'

/** How one call looked to the guest who made it. */
export type Seen =
  | { lost: true; ms: number }
  | { lost: false; ms: number; status: number; code: string; message: string; retryAfter?: number }

/** A refusal that is our fault, and says when to come again. */
export const saysComeAgain = (seen: Seen): boolean =>
  !seen.lost && (seen.status === 502 || seen.status === 503) && (seen.retryAfter ?? 0) > 0

/** What became of a scenario, for the table at the end of a run. */
export interface ScenarioLine {
  scenario: string
  /** 'kind of answer' to how often it was seen. */
  answers: Record<string, number>
  longestWaitMs: number
  acknowledged: number
  violations: Violation[]
}

const kindOf = (seen: Seen): string => {
  if (seen.lost) return 'cut'
  return seen.retryAfter === undefined ? String(seen.status) : `${seen.status} with Retry-After`
}

/** How often which kind of answer was seen. */
export const countKinds = (all: readonly Seen[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const kind of all.map(kindOf)) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** Hands a line to the run that collects them, if there is one. */
export const report = async (line: ScenarioLine): Promise<void> => {
  const file = process.env.CONFETTI_FAULTS_SEEN
  if (file) await appendFile(file, `${JSON.stringify(line)}\n`)
}

export const readLines = async (file: string): Promise<ScenarioLine[]> => {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ScenarioLine)
}

/** `scenario | what a guest saw | acknowledged | lost | twice | hangs`, and what else did not hold. */
export const describeLine = ({
  scenario,
  answers,
  longestWaitMs,
  acknowledged,
  violations,
}: ScenarioLine): string => {
  const saw = Object.entries(answers)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([kind, count]) => `${kind} x ${count}`)
  const count = (...kinds: Violation['kind'][]): number =>
    violations.filter(({ kind }) => kinds.includes(kind)).length
  const others = count('foreign', 'stuck', 'answer', 'scenario')
  return [
    scenario,
    `${saw.join(', ') || 'nothing'}; longest wait ${(longestWaitMs / 1_000).toFixed(1)} s`,
    `acknowledged ${acknowledged}`,
    `lost ${count('lost', 'changed')}`,
    `twice ${count('twice')}`,
    `hangs ${count('hang')}`,
    ...(others > 0 ? [`other faults ${others}`] : []),
  ].join(' | ')
}
