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
  'The words of the scenario that must catch %s stand for one scenario, or one table of them',
  async (_, bug) => {
    const text = await readFile(join(import.meta.dirname, `${bug.file}.faults.ts`), 'utf8')
    // Jest, too, looks for them whatever their case.
    const places = text.toLowerCase().split(bug.scenario.toLowerCase()).length - 1
    expect(places).toBe(1)
  },
)
