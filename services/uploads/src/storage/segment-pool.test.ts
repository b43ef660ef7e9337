import { expect, test } from '@jest/globals'
import { createSegmentPool } from './segment-pool.ts'

test('When a segment came back, then the next one of its size is the same memory', () => {
  const pool = createSegmentPool(1_000)
  const small = pool.take(100)
  const large = pool.take(200)
  pool.giveBack(small)
  pool.giveBack(large)
  expect(pool.take(100)).toBe(small)
  expect(pool.take(100)).not.toBe(small)
  expect(pool.take(200)).toBe(large)
})

test('When two are out at once, then they do not share memory', () => {
  const pool = createSegmentPool(1_000)
  pool.giveBack(pool.take(100))
  const one = pool.take(100)
  const other = pool.take(100)
  one.fill(1)
  other.fill(2)
  expect(one.every((byte) => byte === 1)).toBe(true)
})

test('When more come back than may rest, then those that rested longest go', () => {
  const pool = createSegmentPool(250)
  const segments = [pool.take(100), pool.take(100), pool.take(100)]
  segments.forEach(pool.giveBack)
  expect(pool.take(100)).toBe(segments[2])
  expect(pool.take(100)).toBe(segments[1])
  expect(segments).not.toContain(pool.take(100))
})
