import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { applyBug, readSeededBugs } from './seeded-bug.ts'
import { scenarioFileOf, SIMULATION } from './spawn-scenario.ts'

const root = join(import.meta.dirname, '../..')
const bugs = await readSeededBugs()

test.each(bugs.map((bug) => [bug.name, bug] as const))(
  'The patch of seeded bug %s applies to the code',
  async (_, bug) => {
    const files = [...(await applyBug(bug, root))]
    expect(files).not.toEqual([])
    for (const [file, text] of files) expect(text).not.toBe(await readFile(join(root, file), 'utf8'))
  },
)

test.each(bugs.filter(({ file }) => file !== SIMULATION).map((bug) => [bug.name, bug] as const))(
  'The scenario that must catch seeded bug %s is one scenario, or one table of scenarios',
  async (_, bug) => {
    const text = await readFile(scenarioFileOf(root, bug.file), 'utf8')
    // Jest ignores case, too.
    const matches = text.toLowerCase().split(bug.scenario.toLowerCase()).length - 1
    expect(matches).toBe(1)
  },
)
