import { setTimeout as sleep } from 'node:timers/promises'

const MAX_ATTEMPTS = 40
const FIRST_MAX_PAUSE_MS = 10
const MAX_PAUSE_MS = 200

/**
 * Runs `attempt`, which reads a document and writes it only if it has not changed since, until it returns something other
 * than undefined. The random pauses between attempts grow and take some 3 s together. Throws what `attempt` throws, and
 * the error of `onContention` after 40 attempts.
 */
export const changeUntilWritten = async <T>(
  attempt: () => Promise<T | undefined>,
  onContention: () => Error,
): Promise<T> => {
  for (let count = 1; count <= MAX_ATTEMPTS; count += 1) {
    const result = await attempt()
    if (result !== undefined) return result
    await sleep(Math.random() * Math.min(count * FIRST_MAX_PAUSE_MS, MAX_PAUSE_MS))
  }
  throw onContention()
}
