import fc from 'fast-check'

const seconds = Number(process.env.FUZZ_SECONDS ?? 15)
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)

/** How long Jest may wait for a test that fuzzes: shrinking a case that was found takes as long again. */
export const FUZZ_TIME_LIMIT_MS = seconds * 2_000 + 60_000

const plugins = (ms: number) => [fc.interruptAfterTimeLimit(ms)]

// So many calls are under way at once: services that wait for nobody would be idle half of the time.
const LANES = 3

/**
 * Tries a property with ever new cases for a `share` of the time that fuzzing may take. A case that breaks it is
 * shrunk and reported with the seed that finds it again; `keep` gets it first, and says where it was put.
 */
export const fuzz = async <T>(
  what: string,
  property: fc.IAsyncProperty<[T]>,
  { share = 1, keep = () => '' }: { share?: number; keep?: (found: T) => string } = {},
): Promise<void> => {
  const timeLimitMs = seconds * share * 1_000
  const lanes = await Promise.all(
    Array.from({ length: LANES }, (_, lane) =>
      fc.check(property, { seed: seed + lane, numRuns: 1_000_000, plugins: plugins(timeLimitMs) }),
    ),
  )
  const cases = lanes.reduce((sum, { numRuns }) => sum + numRuns, 0)
  console.info(`${what}: ${cases} cases, FUZZ_SEED=${seed}`)
  // On a slow machine a lane's time may end within its first case, which fast-check calls a failure, too.
  const found = lanes.find(({ counterexample }) => counterexample !== null)
  if (!found) return
  // Once more from there, alone, with time to shrink what may have been found in the last moment.
  const path = found.counterexamplePath ?? ''
  const again = await fc.check(property, {
    seed: found.seed,
    path,
    plugins: plugins(timeLimitMs),
  })
  const shrunk = again.counterexample === null ? found : again
  const example = shrunk.counterexample as [T] | null
  const kept = example ? keep(example[0]) : ''
  const report = (await fc.asyncDefaultReportMessage(shrunk))?.slice(0, 4_000)
  throw new Error(`${what}, FUZZ_SEED=${seed}\n${kept}\n${report}`, { cause: shrunk.errorInstance })
}
