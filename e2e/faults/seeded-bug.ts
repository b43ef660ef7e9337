import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSpecific } from './invariant-violations.ts'

/** A deliberate bug, as a patch of the source code, and the scenario that must detect it. */
export interface SeededBug {
  /** The patch's file name without `.patch`. */
  name: string
  description: string
  /** The scenario or test that must fail: its file, and a part of its name that no other one in the file has. */
  file: string
  scenario: string
  /** The violation that must be reported, as `kind` or `kind: words`. */
  expectedViolation: string
  changes: Change[]
}

/** One hunk of the patch: the lines before and after. */
interface Change {
  file: string
  before: string
  after: string
}

const parseChanges = (patch: string): Change[] =>
  patch
    .split(/^--- a\//m)
    .slice(1)
    .flatMap((part) => {
      const [file = '', ...hunks] = part.split(/^@@.*@@.*\n/m)
      return hunks.map((hunk) => {
        const lines = hunk.split('\n').slice(0, -1)
        const linesWithout = (sign: '+' | '-'): string =>
          lines
            .filter((line) => !line.startsWith(sign))
            .map((line) => line.slice(1))
            .join('\n')
        return { file: file.split('\n')[0] ?? '', before: linesWithout('+'), after: linesWithout('-') }
      })
    })

const parseSeededBug = (name: string, text: string): SeededBug => {
  const [head = ''] = text.split(/^--- a\//m)
  const [, file = '', scenario = ''] = /^caught by: (\S+): (.+)$/m.exec(head) ?? []
  if (!file || !scenario) throw new Error(`${name} has no line 'caught by: file: scenario'`)
  const [, expectedViolation = ''] = /^violation: (.+)$/m.exec(head) ?? []
  if (!isSpecific(expectedViolation)) throw new Error(`${name} has no line 'violation: kind: words'`)
  return {
    name,
    description: head.split('\ncaught by:')[0] ?? '',
    file,
    scenario,
    expectedViolation,
    changes: parseChanges(text),
  }
}

/** Reads all seeded bugs, sorted by name. */
export const readSeededBugs = async (): Promise<SeededBug[]> => {
  const folder = join(import.meta.dirname, 'seeded-bugs')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.patch')).sort()
  return Promise.all(
    names.map(async (name) =>
      parseSeededBug(name.replace('.patch', ''), await readFile(join(folder, name), 'utf8')),
    ),
  )
}

/** Returns the files that a bug changes, with the bug in them. Throws if the patch does not apply to the code. */
export const applyBug = async ({ name, changes }: SeededBug, root: string): Promise<Map<string, string>> => {
  if (changes.length === 0) throw new Error(`${name} changes nothing`)
  const files = new Map<string, string>()
  for (const { file, before, after } of changes) {
    const text = files.get(file) ?? (await readFile(join(root, file), 'utf8'))
    const pieces = text.split(`${before}\n`)
    if (pieces.length !== 2)
      throw new Error(`${name} does not apply: ${file} has ${pieces.length - 1} matches of\n${before}`)
    files.set(file, pieces.join(`${after}\n`))
  }
  return files
}
