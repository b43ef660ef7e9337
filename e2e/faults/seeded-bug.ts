import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isTelling } from './violations.ts'

/** A mistake that somebody could make in the product, as a change of its code. */
export interface SeededBug {
  /** The patch's file name without its ending. */
  name: string
  /** In words, what the change breaks. */
  says: string
  /** The scenario that must fail: its file, and words of its name that no other scenario there has. */
  file: string
  scenario: string
  /** What it must be caught by: a kind of violation, with words of it where the kind says too little. */
  showsAs: string
  changes: Change[]
}

/** One place in one file: the lines as they are, and as the bug has them. */
interface Change {
  file: string
  from: string
  to: string
}

const changesOf = (patch: string): Change[] =>
  patch
    .split(/^--- a\//m)
    .slice(1)
    .flatMap((part) => {
      const [file = '', ...hunks] = part.split(/^@@.*@@.*\n/m)
      return hunks.map((hunk) => {
        const lines = hunk.split('\n').slice(0, -1)
        const side = (sign: string): string =>
          lines
            .filter((line) => !line.startsWith(sign))
            .map((line) => line.slice(1))
            .join('\n')
        return { file: file.split('\n')[0] ?? '', from: side('+'), to: side('-') }
      })
    })

const bugOf = (name: string, text: string): SeededBug => {
  const [head = ''] = text.split(/^--- a\//m)
  const [, file = '', scenario = ''] = /^caught by: (\S+): (.+)$/m.exec(head) ?? []
  if (!file || !scenario) throw new Error(`${name} does not say what it is caught by`)
  const [, showsAs = ''] = /^shows as: (.+)$/m.exec(head) ?? []
  if (!isTelling(showsAs)) throw new Error(`${name} does not say as which kind of violation it shows`)
  return {
    name,
    says: head.split('\ncaught by:')[0] ?? '',
    file,
    scenario,
    showsAs,
    changes: changesOf(text),
  }
}

/** All of them, by name. */
export const readSeededBugs = async (): Promise<SeededBug[]> => {
  const folder = join(import.meta.dirname, 'seeded-bugs')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.patch')).sort()
  return Promise.all(
    names.map(async (name) => bugOf(name.replace('.patch', ''), await readFile(join(folder, name), 'utf8'))),
  )
}

/** The files that a bug changes, with the bug in them. Throws where the code is no longer what the patch expects. */
export const withBug = async ({ name, changes }: SeededBug, root: string): Promise<Map<string, string>> => {
  if (changes.length === 0) throw new Error(`${name} changes nothing`)
  const files = new Map<string, string>()
  for (const { file, from, to } of changes) {
    const text = files.get(file) ?? (await readFile(join(root, file), 'utf8'))
    const pieces = text.split(`${from}\n`)
    if (pieces.length !== 2)
      throw new Error(`${name} no longer applies: ${pieces.length - 1} places in ${file} read\n${from}`)
    files.set(file, pieces.join(`${to}\n`))
  }
  return files
}
