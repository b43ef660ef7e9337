import { setTimeout as sleep } from 'node:timers/promises'

const MAX_ATTEMPTS = 100
// Random, so that those who change the same document at the same time do not meet again and again.
const MAX_PAUSE_MS = 50

/**
 * Runs `attempt`, which reads a document and writes it only if nobody else has changed it since, until it returns
 * something other than undefined: then nobody had. Throws what `attempt` throws, and the error of `onContention` if
 * others are faster each of 100 times, within some 3 s.
 */
export const changeUntilWritten = async <T>(
  attempt: () => Promise<T | undefined>,
  onContention: () => Error,
): Promise<T> => {
  for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
    const result = await attempt()
    if (result !== undefined) return result
    await sleep(Math.random() * MAX_PAUSE_MS)
  }
  throw onContention()
}
