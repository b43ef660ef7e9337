import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import { createBlock } from './block.ts'
import { createSegmentPool } from './segment-pool.ts'

test.each([
  ['nothing', []],
  ['one byte', [1]],
  ['chunks that fit no segment', [65_536, 65_535, 300_000, 7, 131_072]],
  ['just one segment', [65_536]],
  ['a chunk over several segments', [10, 1_000_000]],
])('When %s is appended, then the body has the same bytes each time', async (_, sizes) => {
  const chunks = sizes.map((size) => randomBytes(size))
  const block = createBlock(createSegmentPool(0))
  for (const chunk of chunks) {
    const expected = block.capacity() + block.growthFor(chunk.length)
    block.append(chunk)
    expect(block.capacity()).toBe(expected)
    expect(block.capacity()).toBeGreaterThanOrEqual(block.size())
  }
  const all = Buffer.concat(chunks)
  expect(block.size()).toBe(all.length)
  expect((await buffer(block.body())).equals(all)).toBe(true)
  expect((await buffer(block.body())).equals(all)).toBe(true)
})

test('When a chunk changes after it was appended, then the block does not', async () => {
  const block = createBlock(createSegmentPool(0))
  const chunk = Buffer.from('before')
  block.append(chunk)
  chunk.fill(0)
  expect((await buffer(block.body())).toString()).toBe('before')
})

test('When a block reuses memory of another, then it contains only its own bytes', async () => {
  const pool = createSegmentPool(1_000_000)
  const before = createBlock(pool)
  before.append(randomBytes(65_536))
  before.release()
  expect(before.capacity()).toBe(0)
  const memory = pool.acquire(65_536)
  pool.release(memory)
  const block = createBlock(pool)
  const chunk = randomBytes(50_001)
  block.append(chunk)
  expect(memory.subarray(0, chunk.length).equals(chunk)).toBe(true)
  expect((await buffer(block.body())).equals(chunk)).toBe(true)
})

test('When a second body was created, then the memory is not reused, because the first body may still be read', async () => {
  const pool = createSegmentPool(1_000_000)
  const block = createBlock(pool)
  const chunk = randomBytes(100_000)
  block.append(chunk)
  const first = block.body()
  block.body()
  block.release()
  createBlock(pool).append(randomBytes(100_000))
  expect((await buffer(first)).equals(chunk)).toBe(true)
})
