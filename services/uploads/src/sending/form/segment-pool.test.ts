import { expect, test } from '@jest/globals'
import { createSegmentPool } from './segment-pool.ts'

test('When a segment is released, then the next one of its size reuses its memory', () => {
  const pool = createSegmentPool(1_000)
  const small = pool.acquire(100)
  const large = pool.acquire(200)
  pool.release(small)
  pool.release(large)
  expect(pool.acquire(100)).toBe(small)
  expect(pool.acquire(100)).not.toBe(small)
  expect(pool.acquire(200)).toBe(large)
})

test('When two segments are in use, then they do not share memory', () => {
  const pool = createSegmentPool(1_000)
  pool.release(pool.acquire(100))
  const one = pool.acquire(100)
  const other = pool.acquire(100)
  one.fill(1)
  other.fill(2)
  expect(one.every((byte) => byte === 1)).toBe(true)
})

test('When the pool exceeds its limit, then it drops the segments that were released first', () => {
  const pool = createSegmentPool(250)
  const segments = [pool.acquire(100), pool.acquire(100), pool.acquire(100)]
  segments.forEach(pool.release)
  expect(pool.acquire(100)).toBe(segments[2])
  expect(pool.acquire(100)).toBe(segments[1])
  expect(segments).not.toContain(pool.acquire(100))
})
