import { setTimeout as sleep } from 'node:timers/promises'

const TIME_LIMIT_MS = 20_000

/**
 * Rejects when the broker has not done `work` after 20 s. Its heartbeats go on while one queue hangs, so they do not
 * end such a wait.
 */
export const withinTime = async <T>(work: Promise<T>): Promise<T> => {
  const limit = new AbortController()
  const late = sleep(TIME_LIMIT_MS, undefined, { signal: limit.signal }).then(() => {
    throw new Error('The broker does not answer')
  })
  late.catch(() => undefined)
  return Promise.race([work, late]).finally(() => limit.abort())
}
