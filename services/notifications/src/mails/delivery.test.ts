import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLogger } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { retryDelay, startDelivery } from './delivery.ts'

test('The delay doubles with each attempt, up to an hour, and varies by a quarter', () => {
  for (const [attempts, longest] of [
    [1, 30_000],
    [2, 60_000],
    [5, 480_000],
    [8, 3_600_000],
    [30, 3_600_000],
  ] as const) {
    const delay = retryDelay(attempts, 30_000)
    expect(delay).toBeLessThanOrEqual(longest)
    expect(delay).toBeGreaterThanOrEqual(longest * 0.75)
  }
})

test('140 attempts take five days, longer than a weekend', () => {
  const total = Array.from({ length: 139 }, (_, index) => retryDelay(index + 1, 30_000)).reduce(
    (a, b) => a + b,
  )
  expect(total / 86_400_000).toBeGreaterThan(4)
  expect(total / 86_400_000).toBeLessThan(6)
})

/** Delivers mails without end, with this outcome. Returns how many were handed over in a while. */
const countHandOvers = async (outcome: 'sent' | 'unavailable'): Promise<number> => {
  let count = 0
  const stopping = new AbortController()
  const mails = new Proxy(
    { lease: () => Promise.resolve({ attempts: 1 }) },
    { get: (target, name) => Reflect.get(target, name) ?? (() => Promise.resolve()) },
  )
  const delivery = startDelivery(
    {
      config: { MAIL_RETRY_DELAY_MS: 3_600_000, MAIL_CONCURRENCY: 2 },
      mails,
      stopping: stopping.signal,
      clock: () => new Date(),
      metrics: { attempted: () => undefined },
      logger: createLogger('test', 'silent'),
    } as unknown as Deps,
    async () => {
      count += 1
      await nextTurn()
      return { outcome, reason: 'EAUTH 535' }
    },
  )
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
  stopping.abort()
  await delivery.stop()
  return count
}

test('When the mail server refuses the sign-in, then all mails wait for a while, and not each by itself', async () => {
  expect(await countHandOvers('sent')).toBeGreaterThan(2)
  expect(await countHandOvers('unavailable')).toBe(2)
})
