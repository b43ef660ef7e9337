import { appendFile, readFile } from 'node:fs/promises'
import type { CallResult } from './call-result.ts'
import type { Violation } from './invariant-violations.ts'

/** What is reported of a scenario at the end of a run. */
export interface ScenarioReport {
  scenario: string
  /** How many calls had each outcome, for example `503 with Retry-After`. */
  outcomes: Record<string, number>
  longestWaitMs: number
  acknowledged: number
  violations: Violation[]
}

const outcomeOf = (result: CallResult): string => {
  if (result.connectionLost) return 'connection lost'
  return result.retryAfter === undefined ? String(result.status) : `${result.status} with Retry-After`
}

/** Counts calls by their outcome. */
export const countOutcomes = (results: readonly CallResult[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const outcome of results.map(outcomeOf)) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** Appends a report to the file that CONFETTI_FAULTS_RESULTS names, if it does. */
export const appendReport = async (report: ScenarioReport): Promise<void> => {
  const file = process.env.CONFETTI_FAULTS_RESULTS
  if (file) await appendFile(file, `${JSON.stringify(report)}\n`)
}

/** Reads all reports that were appended to a file; none if it does not exist. */
export const readReports = async (file: string): Promise<ScenarioReport[]> => {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ScenarioReport)
}

/** Formats a report as one line: scenario, outcomes of calls, acknowledged uploads, and violations by kind. */
export const formatReport = ({
  scenario,
  outcomes,
  longestWaitMs,
  acknowledged,
  violations,
}: ScenarioReport): string => {
  const counted = Object.entries(outcomes)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([outcome, count]) => `${outcome} x ${count}`)
  const count = (...kinds: Violation['kind'][]): number =>
    violations.filter(({ kind }) => kinds.includes(kind)).length
  const others = count('unexpected', 'stuck', 'response', 'assertion')
  return [
    scenario,
    `${counted.join(', ') || 'no calls'}; longest wait ${(longestWaitMs / 1_000).toFixed(1)} s`,
    `acknowledged ${acknowledged}`,
    `lost ${count('lost', 'mismatch')}`,
    `duplicates ${count('duplicate')}`,
    `hangs ${count('hang')}`,
    ...(others > 0 ? [`other violations ${others}`] : []),
  ].join(' | ')
}
