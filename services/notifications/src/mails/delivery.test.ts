import { expect, test } from '@jest/globals'
import { retryDelay } from './delivery.ts'

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

test('Thirty attempts take about a day', () => {
  const total = Array.from({ length: 29 }, (_, index) => retryDelay(index + 1, 30_000)).reduce(
    (a, b) => a + b,
  )
  expect(total / 3_600_000).toBeGreaterThan(16)
  expect(total / 3_600_000).toBeLessThan(24)
})
