import { setTimeout as sleep } from 'node:timers/promises'
import { recentWarnings } from './warnings.ts'

const timeoutMessage = (description: string, timeoutMs: number): string =>
  [`Timed out after ${timeoutMs} ms waiting for: ${description}`, ...recentWarnings()].join('\n')

/**
 * Polls `condition` until it returns something other than undefined, null or false, and resolves with that value.
 * Rejects after `timeoutMs`; the error names the latest warnings of the services.
 */
export const eventually = async <T>(
  condition: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  description = 'the condition',
  timeoutMs = 90_000,
): Promise<T> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const result = await condition()
    if (result !== undefined && result !== null && result !== false) return result
    if (Date.now() > deadline) throw new Error(timeoutMessage(description, timeoutMs))
    await sleep(50)
  }
}
