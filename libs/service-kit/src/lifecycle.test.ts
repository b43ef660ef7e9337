import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { runPeriodically } from './lifecycle.ts'
import { createLogger } from './logger.ts'

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] })
})
afterEach(() => {
  jest.useRealTimers()
})

test('When a periodic task fails, then it runs again, and how often it has failed in a row is reported', async () => {
  const failures: number[] = []
  const outcomes = [false, false, true, false]
  const stop = runPeriodically(
    () => (outcomes.shift() ? Promise.resolve() : Promise.reject(new Error('unavailable'))),
    {
      name: 'sweep',
      intervalMs: 1_000,
      logger: createLogger('test', 'silent'),
      onRun: (inARow) => failures.push(inARow),
    },
  )
  // Each run comes within one and a quarter of the interval.
  for (let run = 0; run < 4; run += 1) await jest.advanceTimersToNextTimerAsync()
  await stop()
  expect(failures).toEqual([1, 2, 0, 1])
})
