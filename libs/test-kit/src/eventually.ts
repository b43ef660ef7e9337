import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Polls `condition` until it returns something other than undefined or false, and resolves with that value.
 * Rejects after `timeoutMs`.
 */
export const eventually = async <T>(
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  description = 'the condition',
  timeoutMs = 90_000,
): Promise<T> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const result = await condition()
    if (result !== undefined && result !== false) return result
    if (Date.now() > deadline) throw new Error(`Timed out after ${timeoutMs} ms waiting for: ${description}`)
    await sleep(50)
  }
}
