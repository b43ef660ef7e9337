import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyCheckout } from './copy-checkout.ts'
import { matchesViolation } from './invariant-violations.ts'
import { applyBug, readSeededBugs, type SeededBug } from './seeded-bug.ts'
import { spawnScenario, type Outcome } from './spawn-scenario.ts'

interface Options {
  /** The folder of the checkout. */
  root: string
  environment: NodeJS.ProcessEnv
  /** Only bugs whose names contain this are tried. */
  nameFilter: string
  /** Tries one of `of` equal parts of the bugs; from 1. */
  shard?: { index: number; of: number } | undefined
  print: (line: string) => void
}

const MAX_OUTPUT_LENGTH = 2_000

const shorten = (violation: string): string => violation.replaceAll(/\s+/g, ' ').slice(0, 160)

const evaluate = (outcome: Outcome, expectedViolation: string): { caught: boolean; line: string } => {
  switch (outcome.status) {
    case 'violated': {
      const violation = outcome.violations.find((each) => matchesViolation(each, expectedViolation))
      if (violation) return { caught: true, line: `caught: ${shorten(violation)}` }
      return {
        caught: false,
        line: `NOT CAUGHT as '${expectedViolation}', but as\n${outcome.violations.map(shorten).join('\n')}`,
      }
    }
    case 'passed':
      return { caught: false, line: 'NOT CAUGHT: the scenario passed' }
    case 'error':
      return {
        caught: false,
        line: `NOT CAUGHT: the scenario could not run\n${outcome.output.slice(0, MAX_OUTPUT_LENGTH)}`,
      }
  }
}

/**
 * Tests the scenarios themselves: applies each seeded bug to a copy of the code, where its scenario must fail with the
 * expected violation. Without the bug, the same scenario must pass. Resolves with whether all bugs were caught.
 */
export const runSelfTest = async ({
  root,
  environment,
  nameFilter,
  shard = { index: 1, of: 1 },
  print,
}: Options): Promise<boolean> => {
  // Bugs of the same scenario are in the same part: it runs once without a bug.
  const bugs = (await readSeededBugs())
    .filter(({ name }) => name.includes(nameFilter))
    .toSorted((a, b) => `${a.file}: ${a.scenario}`.localeCompare(`${b.file}: ${b.scenario}`))
    .filter((_, index, { length }) => Math.floor((index * shard.of) / length) === shard.index - 1)
  if (bugs.length === 0) throw new Error(`No seeded bug has '${nameFilter}' in its name`)
  const copy = await copyCheckout(root)
  const baselines = new Map<string, Outcome>()

  const readFiles = async (files: Iterable<string>): Promise<Map<string, string>> => {
    const texts = new Map<string, string>()
    for (const file of files) texts.set(file, await readFile(join(copy, file), 'utf8'))
    return texts
  }
  const writeFiles = async (files: ReadonlyMap<string, string>): Promise<void> => {
    for (const [file, text] of files) await writeFile(join(copy, file), text)
  }

  const runBaseline = async (bug: SeededBug): Promise<Outcome> => {
    const key = `${bug.file}: ${bug.scenario}`
    const outcome = baselines.get(key) ?? (await spawnScenario(copy, bug, environment))
    baselines.set(key, outcome)
    return outcome
  }

  const isCaught = async (bug: SeededBug): Promise<boolean> => {
    const buggyFiles = await applyBug(bug, copy)
    const baseline = await runBaseline(bug)
    if (baseline.status !== 'passed') {
      print(
        `${bug.name}: NOT TRIED: its scenario fails without the bug\n${baseline.output.slice(0, MAX_OUTPUT_LENGTH)}`,
      )
      return false
    }
    const originalFiles = await readFiles(buggyFiles.keys())
    await writeFiles(buggyFiles)
    const { caught, line } = evaluate(await spawnScenario(copy, bug, environment), bug.expectedViolation)
    await writeFiles(originalFiles)
    print(`${bug.name}: ${line}`)
    return caught
  }

  try {
    let uncaught = 0
    for (const bug of bugs) {
      const caught = await isCaught(bug).catch((error: unknown) => {
        print(`${bug.name}: NOT TRIED: ${String(error)}`)
        return false
      })
      if (!caught) uncaught += 1
    }
    print(`${bugs.length - uncaught} of ${bugs.length} seeded bugs caught`)
    return uncaught === 0
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}
