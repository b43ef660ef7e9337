import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import prettier from 'prettier'
import type { Claim, Figures, Result, Scenario } from './scenarios/scenario.ts'
import { spreadOf } from './statistics.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const documentFile = `${root}docs/benchmarks.md`

/** What was measured, on what, and when. */
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

const commitNow = (): string => {
  try {
    const changed = git('status', '--porcelain', '--', '.', ':!docs') !== ''
    return git('rev-parse', '--short', 'HEAD') + (changed ? ' and changes' : '')
  } catch {
    return 'unknown'
  }
}

export const reportOf = (
  { name }: Scenario,
  result: Result,
  { rounds, minutes }: { rounds: number; minutes: number },
): Report => ({
  scenario: name,
  date: new Date().toISOString(),
  commit: commitNow(),
  machine: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux, Node ${process.versions.node}`,
  rounds,
  minutes,
  result,
})

const digits = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) >= 100 ? 0 : 2 })

const cell = (values: Figures): string => {
  const { median, min, max } = spreadOf(values)
  return min === max ? digits(median) : `${digits(median)} (${digits(min)}–${digits(max)})`
}

const limitOf = ({ wanted }: Claim): string =>
  'atLeast' in wanted ? `at least ${digits(wanted.atLeast)}` : `at most ${digits(wanted.atMost)}`

/** A ratio holds by its median, as single rounds have the neighbours' noise; anything else in each round. */
const holds = ({ values, wanted, isRatio }: Claim): boolean => {
  const { median, min, max } = spreadOf(values)
  return 'atLeast' in wanted
    ? (isRatio ? median : min) >= wanted.atLeast
    : (isRatio ? median : max) <= wanted.atMost
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const speeds = (name: string): boolean => !name.includes(': ')

/** What each process used: one table for each kind of figure, the processes down, who was measured across. */
const usedTables = ({ rows }: Result): string[] => {
  const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))].filter(
    (name) => !speeds(name),
  )
  const kinds = [...new Set(names.map((name) => name.split(': ')[1] ?? ''))]
  return kinds.map((kind) =>
    table(
      [kind, ...rows.map(({ who }) => who)],
      names
        .filter((name) => name.endsWith(`: ${kind}`))
        .map((name) => [
          name.split(': ')[0] ?? '',
          ...rows.map(({ figures }) => (figures[name] ? cell(figures[name]) : '')),
        ]),
    ),
  )
}

/** The report as Markdown: what was wanted and came out, then each figure as median (lowest–highest). */
export const markdownOf = (
  { scenario, date, commit, machine, rounds, minutes, result }: Report,
  about: string,
): string => {
  const names = [...new Set(result.rows.flatMap(({ figures }) => Object.keys(figures).filter(speeds)))]
  const parts = [
    `## ${scenario}`,
    about,
    `${date.slice(0, 10)}, commit ${commit}, ${machine}; ${rounds} rounds in ${minutes.toFixed(1)} minutes. Each figure: median (lowest–highest).`,
    ...(result.claims.length > 0
      ? [
          table(
            ['what', 'wanted', 'measured', 'holds'],
            result.claims.map((claim) => [
              claim.what,
              limitOf(claim),
              cell(claim.values),
              holds(claim) ? 'yes' : '**no**',
            ]),
          ),
        ]
      : []),
    table(
      ['', ...names],
      result.rows.map(({ who, figures }) => [who, ...names.map((name) => cell(figures[name] ?? [0]))]),
    ),
    ...usedTables(result),
  ]
  return parts.join('\n\n')
}

const format = async (text: string, file: string): Promise<string> =>
  prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file })

/** Keeps a report as JSON beside the others of its day, and renews its section in docs/benchmarks.md. */
export const publish = async (report: Report, { about }: Scenario): Promise<void> => {
  const section = markdownOf(report, about)
  await mkdir(`${root}docs/benchmarks`, { recursive: true })
  const jsonFile = `${root}docs/benchmarks/${report.date.slice(0, 10)}-${report.scenario}.json`
  await writeFile(jsonFile, await format(JSON.stringify(report), jsonFile))
  const [begin, end] = [`<!-- ${report.scenario} -->`, `<!-- end of ${report.scenario} -->`]
  const document = await readFile(documentFile, 'utf8')
  const [before, rest] = document.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`docs/benchmarks.md has no place for ${report.scenario}`)
  const renewed = `${before}${begin}\n\n${section}\n\n${end}${after}`
  await writeFile(documentFile, await format(renewed, documentFile))
}
