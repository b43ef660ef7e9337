import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isTruncated } from './is-truncated.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-boxes-'))
})
afterAll(() => rm(folder, { recursive: true }))

const box = (name: string, size: number, bytes: number): Buffer => {
  const written = Buffer.alloc(bytes)
  written.writeUInt32BE(size)
  written.write(name, 4, 'latin1')
  return written
}
const box64 = (name: string, size: number, bytes: number): Buffer => {
  const written = box(name, 1, bytes)
  written.writeBigUInt64BE(BigInt(size), 8)
  return written
}

test.each([
  ['is complete', [box('ftyp', 16, 16), box('mdat', 64, 64), box('moov', 32, 32)], false],
  ['ends in the middle of its media', [box('ftyp', 16, 16), box('moov', 32, 32), box('mdat', 64, 40)], true],
  ['has a 64-bit size and is truncated', [box('ftyp', 16, 16), box64('mdat', 2 ** 33, 64)], true],
  ['has a media box that extends to the end of the file', [box('ftyp', 16, 16), box('mdat', 0, 64)], false],
  [
    'has arbitrary bytes after its last box',
    [box('mdat', 64, 64), box('\xff\xff\xff\xff', 2 ** 31, 9)],
    false,
  ],
  ['has a box with an invalid size', [box('ftyp', 3, 16)], false],
  ['is empty', [], false],
])('When a file %s, then truncation is detected correctly', async (_, boxes, expected) => {
  const file = join(folder, crypto.randomUUID())
  await writeFile(file, Buffer.concat(boxes))
  expect(await isTruncated(file)).toBe(expected)
})
