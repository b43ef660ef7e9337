import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks again and again until `condition` gives something other than undefined or false, and returns that. Fails
 * after `limitMs`, which only bounds a test that has failed already.
 */
export const eventually = async <T>(
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  what = 'the condition',
  limitMs = 60_000,
): Promise<T> => {
  const giveUpAt = Date.now() + limitMs
  for (;;) {
    const result = await condition()
    if (result !== undefined && result !== false) return result
    if (Date.now() > giveUpAt) throw new Error(`${what} did not come true within ${limitMs} ms`)
    await sleep(50)
  }
}
