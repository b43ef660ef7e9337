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
  const startedAt = Date.now()
  for (;;) {
    const result = await condition()
    if (result !== undefined && result !== null && result !== false) return result
    const waitedMs = Date.now() - startedAt
    if (waitedMs > timeoutMs) throw new Error(timeoutMessage(description, timeoutMs))
    // The longer it takes, the less often, so that what it waits for gets the processor.
    await sleep(Math.max(50, Math.min(waitedMs / 20, 1_000)))
  }
}
