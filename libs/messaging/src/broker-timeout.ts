import pTimeout from 'p-timeout'

const TIMEOUT_MS = 20_000

/**
 * Rejects if `work` takes longer than 20 s. A broker's heartbeats continue while one of its queues hangs, so they do not
 * end such a wait.
 */
export const withBrokerTimeout = <T>(work: Promise<T>): Promise<T> =>
  pTimeout(work, { milliseconds: TIMEOUT_MS, message: 'The broker does not answer' })
