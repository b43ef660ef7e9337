import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import { createBlock } from './block.ts'

test.each([
  ['nothing', []],
  ['one byte', [1]],
  ['chunks that fit no segment', [65_536, 65_535, 300_000, 7, 131_072]],
  ['just one segment', [65_536]],
  ['a chunk over several segments', [10, 1_000_000]],
])('When %s is appended, then the body has the same bytes each time', async (_, sizes) => {
  const chunks = sizes.map((size) => randomBytes(size))
  const block = createBlock()
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
  const block = createBlock()
  const chunk = Buffer.from('before')
  block.append(chunk)
  chunk.fill(0)
  expect((await buffer(block.body())).toString()).toBe('before')
})
