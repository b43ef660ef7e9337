import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isCutShort } from './cut-short.ts'

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
const wide = (name: string, size: number, bytes: number): Buffer => {
  const written = box(name, 1, bytes)
  written.writeBigUInt64BE(BigInt(size), 8)
  return written
}

test.each([
  ['is whole', [box('ftyp', 16, 16), box('mdat', 64, 64), box('moov', 32, 32)], false],
  ['ends in the middle of its media', [box('ftyp', 16, 16), box('moov', 32, 32), box('mdat', 64, 40)], true],
  ['is longer than 32 bits can say, and cut', [box('ftyp', 16, 16), wide('mdat', 2 ** 33, 64)], true],
  ['has media to the end of the file', [box('ftyp', 16, 16), box('mdat', 0, 64)], false],
  [
    'has bytes after its end that mean nothing',
    [box('mdat', 64, 64), box('\xff\xff\xff\xff', 2 ** 31, 9)],
    false,
  ],
  ['has a box that says it has no size', [box('ftyp', 3, 16)], false],
  ['is empty', [], false],
])('When a file %s, then it is seen', async (_, boxes, cutShort) => {
  const file = join(folder, crypto.randomUUID())
  await writeFile(file, Buffer.concat(boxes))
  expect(await isCutShort(file)).toBe(cutShort)
})
