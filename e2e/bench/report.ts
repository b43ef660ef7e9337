import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import prettier from 'prettier'
import type { Figures, Result, Scenario, Threshold } from './scenarios/scenario.ts'
import { spreadOf } from './statistics.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const documentFile = `${root}docs/benchmarks.md`

export interface Report {
  scenario: string
  date: string
  commit: string
  machine: string
  rounds: number
  minutes: number
  result: Result
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

const currentCommit = (): string => {
  try {
    const hasChanges = git('status', '--porcelain', '--', '.', ':!docs') !== ''
    return git('rev-parse', '--short', 'HEAD') + (hasChanges ? ' and changes' : '')
  } catch {
    return 'unknown'
  }
}

export const createReport = (
  { name }: Scenario,
  result: Result,
  { rounds, minutes }: { rounds: number; minutes: number },
): Report => ({
  scenario: name,
  date: new Date().toISOString(),
  commit: currentCommit(),
  machine: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux, Node ${process.versions.node}`,
  rounds,
  minutes,
  result,
})

const formatNumber = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) >= 100 ? 0 : 2 })

const formatFigures = (values: Figures): string => {
  const { median, min, max } = spreadOf(values)
  return min === max
    ? formatNumber(median)
    : `${formatNumber(median)} (${formatNumber(min)}–${formatNumber(max)})`
}

const formatLimit = ({ limit }: Threshold): string =>
  'atLeast' in limit ? `at least ${formatNumber(limit.atLeast)}` : `at most ${formatNumber(limit.atMost)}`

/** Whether the median of ratios is within the limit, as other load may disturb single rounds, or else every value. */
const isMet = ({ values, limit, isRatio }: Threshold): boolean => {
  const { median, min, max } = spreadOf(values)
  return 'atLeast' in limit
    ? (isRatio ? median : min) >= limit.atLeast
    : (isRatio ? median : max) <= limit.atMost
}

const formatTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Figures of single processes are named like `gateway: peak MB`. */
const isProcessFigure = (name: string): boolean => name.includes(': ')

/** One table for each kind of process figure, with a row for each process and a column for each target. */
const formatProcessTables = ({ rows }: Result): string[] => {
  const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))].filter(isProcessFigure)
  const kinds = [...new Set(names.map((name) => name.split(': ')[1] ?? ''))]
  return kinds.map((kind) =>
    formatTable(
      [kind, ...rows.map(({ target }) => target)],
      names
        .filter((name) => name.endsWith(`: ${kind}`))
        .map((name) => [
          name.split(': ')[0] ?? '',
          ...rows.map(({ figures }) => (figures[name] ? formatFigures(figures[name]) : '')),
        ]),
    ),
  )
}

/** Formats a report as Markdown: the thresholds, then each figure as median (lowest–highest). */
export const formatMarkdown = (
  { scenario, date, commit, machine, rounds, minutes, result }: Report,
  description: string,
): string => {
  const names = [
    ...new Set(
      result.rows.flatMap(({ figures }) => Object.keys(figures).filter((name) => !isProcessFigure(name))),
    ),
  ]
  const parts = [
    `## ${scenario}`,
    description,
    `${date.slice(0, 10)}, commit ${commit}, ${machine}; ${rounds} rounds in ${minutes.toFixed(1)} minutes. Each figure: median (lowest–highest).`,
    ...(result.thresholds.length > 0
      ? [
          formatTable(
            ['metric', 'threshold', 'measured', 'met'],
            result.thresholds.map((threshold) => [
              threshold.metric,
              formatLimit(threshold),
              formatFigures(threshold.values),
              isMet(threshold) ? 'yes' : '**no**',
            ]),
          ),
        ]
      : []),
    formatTable(
      ['', ...names],
      result.rows.map(({ target, figures }) => [
        target,
        ...names.map((name) => formatFigures(figures[name] ?? [0])),
      ]),
    ),
    ...formatProcessTables(result),
  ]
  return parts.join('\n\n')
}

const prettify = async (text: string, file: string): Promise<string> =>
  prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file })

/** Writes a report to docs/benchmarks as JSON, and replaces the section of its scenario in docs/benchmarks.md. */
export const saveReport = async (report: Report, { description }: Scenario): Promise<void> => {
  const section = formatMarkdown(report, description)
  await mkdir(`${root}docs/benchmarks`, { recursive: true })
  const jsonFile = `${root}docs/benchmarks/${report.date.slice(0, 10)}-${report.scenario}.json`
  await writeFile(jsonFile, await prettify(JSON.stringify(report), jsonFile))
  const [begin, end] = [`<!-- ${report.scenario} -->`, `<!-- end of ${report.scenario} -->`]
  const document = await readFile(documentFile, 'utf8')
  const [before, rest] = document.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`docs/benchmarks.md has no section for ${report.scenario}`)
  const updated = `${before}${begin}\n\n${section}\n\n${end}${after}`
  await writeFile(documentFile, await prettify(updated, documentFile))
}
