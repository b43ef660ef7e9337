import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { readSeededBugs, withBug } from './seeded-bug.ts'

const root = join(import.meta.dirname, '../..')
const bugs = await readSeededBugs()

test.each(bugs.map((bug) => [bug.name, bug] as const))(
  'The seeded bug %s still applies to the code',
  async (_, bug) => {
    for (const [file, text] of await withBug(bug, root))
      expect(text).not.toBe(await readFile(join(root, file), 'utf8'))
  },
)

test.each(bugs.map((bug) => [bug.name, bug] as const))(
  'The scenario that must catch %s exists',
  async (_, bug) => {
    const text = await readFile(join(import.meta.dirname, `${bug.file}.faults.ts`), 'utf8')
    expect(text).toContain(bug.scenario)
  },
)
