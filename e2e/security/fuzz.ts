import fc from 'fast-check'

/** How long a property is fuzzed; undefined in `npm test`, which tries the same cases each time, as many as a test says. */
const seconds = process.env.FUZZ_SECONDS ? Number(process.env.FUZZ_SECONDS) : undefined
const seed = Number(process.env.FUZZ_SEED ?? (seconds === undefined ? 1 : Date.now() % 2 ** 31))

/** The Jest timeout of a test that fuzzes. Shrinking a counterexample takes as long as the search. */
export const FUZZ_TIMEOUT_MS = (seconds ?? 60) * 2_000 + 60_000

// With one case at a time, the services would be idle half of the time.
const CONCURRENCY = 3

interface FuzzOptions<T> {
  /** The number of cases without FUZZ_SECONDS. */
  cases: number
  /** The fraction of FUZZ_SECONDS to spend on this property. */
  timeShare?: number
  /** Saves a counterexample. Returns a message that says where it is. */
  saveCounterexample?: (counterexample: T) => string
}

/**
 * Checks a property with `cases` fixed cases, or with random ones for FUZZ_SECONDS. Throws if a case violates it, with the
 * shrunk counterexample and the seed that reproduces it.
 */
export const fuzz = async <T>(
  target: string,
  property: fc.IAsyncProperty<[T]>,
  { cases: fixedCases, timeShare = 1, saveCounterexample = () => '' }: FuzzOptions<T>,
): Promise<void> => {
  const plugins = seconds === undefined ? [] : [fc.interruptAfterTimeLimit(seconds * timeShare * 1_000)]
  const bound = { numRuns: seconds === undefined ? Math.ceil(fixedCases / CONCURRENCY) : 1_000_000, plugins }
  const runs = await Promise.all(
    Array.from({ length: CONCURRENCY }, (_, index) => fc.check(property, { seed: seed + index, ...bound })),
  )
  const cases = runs.reduce((sum, { numRuns }) => sum + numRuns, 0)
  console.info(`${target}: ${cases} cases, FUZZ_SEED=${seed}`)
  // fast-check also reports a failure if the time ends during the first case of a run, without a counterexample.
  const failedRun = runs.find(({ counterexample }) => counterexample !== null)
  if (!failedRun) return
  // If the failure was found shortly before the time limit, it has not been shrunk. This run has the time to do so.
  const shrinkingRun =
    seconds === undefined
      ? failedRun
      : await fc.check(property, {
          seed: failedRun.seed,
          path: failedRun.counterexamplePath ?? '',
          plugins,
        })
  const result = shrinkingRun.counterexample === null ? failedRun : shrinkingRun
  const counterexample = result.counterexample as [T] | null
  const savedMessage = counterexample ? saveCounterexample(counterexample[0]) : ''
  const report = (await fc.asyncDefaultReportMessage(result))?.slice(0, 4_000)
  throw new Error(`${target}, FUZZ_SEED=${seed}\n${savedMessage}\n${report}`, { cause: result.errorInstance })
}
