import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyCheckout } from './copy-of-checkout.ts'
import { runScenario, type Outcome } from './run-scenario.ts'
import { readSeededBugs, withBug, type SeededBug } from './seeded-bug.ts'
import { showsAs } from './violations.ts'

interface Options {
  /** The checkout. */
  root: string
  environment: NodeJS.ProcessEnv
  /** Only bugs with this in their names. */
  words: string
  say: (line: string) => void
}

const inShort = (violation: string): string => violation.replaceAll(/\s+/g, ' ').slice(0, 160)

const judge = (outcome: Outcome, expected: string): { caught: boolean; line: string } => {
  switch (outcome.verdict) {
    case 'broken promise': {
      const violation = outcome.violations.find((each) => showsAs(each, expected))
      if (violation) return { caught: true, line: `caught: ${inShort(violation)}` }
      return {
        caught: false,
        line: `NOT CAUGHT as '${expected}', but by\n${outcome.violations.map(inShort).join('\n')}`,
      }
    }
    case 'passed':
      return { caught: false, line: 'NOT CAUGHT: the scenario passed' }
    case 'not played':
      return {
        caught: false,
        line: `NOT CAUGHT: the scenario could not be played\n${outcome.why.slice(0, 2_000)}`,
      }
  }
}

/**
 * Tests the scenarios themselves: puts each seeded bug into a copy of the code, where its scenario must
 * fail by itself, not because it could not be played. Without the bug, that scenario must pass there. Resolves
 * with whether all were caught.
 */
export const testTheTester = async ({ root, environment, words, say }: Options): Promise<boolean> => {
  const bugs = (await readSeededBugs()).filter(({ name }) => name.includes(words))
  if (bugs.length === 0) throw new Error(`No seeded bug has '${words}' in its name`)
  const copy = await copyCheckout(root)
  const healthy = new Map<string, Outcome>()

  const textsOf = async (files: Iterable<string>): Promise<Map<string, string>> => {
    const texts = new Map<string, string>()
    for (const file of files) texts.set(file, await readFile(join(copy, file), 'utf8'))
    return texts
  }
  const writeAll = async (files: ReadonlyMap<string, string>): Promise<void> => {
    for (const [file, text] of files) await writeFile(join(copy, file), text)
  }

  const playHealthy = async (bug: SeededBug): Promise<Outcome> => {
    const key = `${bug.file}: ${bug.scenario}`
    const outcome = healthy.get(key) ?? (await runScenario(copy, bug, environment))
    healthy.set(key, outcome)
    return outcome
  }

  const isCaught = async (bug: SeededBug): Promise<boolean> => {
    const changed = await withBug(bug, copy)
    const without = await playHealthy(bug)
    if (without.verdict !== 'passed') {
      say(`${bug.name}: NOT TRIED, as its scenario fails without the bug\n${without.why.slice(0, 2_000)}`)
      return false
    }
    const healthyFiles = await textsOf(changed.keys())
    await writeAll(changed)
    const { caught, line } = judge(await runScenario(copy, bug, environment), bug.showsAs)
    await writeAll(healthyFiles)
    say(`${bug.name}: ${line}`)
    return caught
  }

  try {
    let uncaught = 0
    for (const bug of bugs) {
      const caught = await isCaught(bug).catch((error: unknown) => {
        say(`${bug.name}: NOT TRIED: ${String(error)}`)
        return false
      })
      if (!caught) uncaught += 1
    }
    say(`${bugs.length - uncaught} of ${bugs.length} seeded bugs caught`)
    return uncaught === 0
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}
