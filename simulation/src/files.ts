import { createHash } from 'node:crypto'
import { MB } from '@confetti/contracts'

/** A file on a guest's phone, in blocks of 4 MB. */
export interface PhoneFile {
  name: string
  blocks: readonly Buffer[]
  size: number
  sha256: string
}

const BLOCK_BYTES = 4 * MB
const filler = Buffer.alloc(BLOCK_BYTES, 'confetti')
const jpegStart = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')

const createFile = (name: string, blocks: readonly Buffer[]): PhoneFile => {
  const hash = createHash('sha256')
  for (const block of blocks) hash.update(block)
  return {
    name,
    blocks,
    size: blocks.reduce((sum, { length }) => sum + length, 0),
    sha256: hash.digest('hex'),
  }
}

const photo = (text: string): PhoneFile =>
  createFile('IMG_0001.jpg', [Buffer.concat([jpegStart, Buffer.from(text)])])

const largePhoto = (): PhoneFile => {
  const first = Buffer.from(filler)
  jpegStart.copy(first)
  return createFile('panorama.jpg', [first, filler, filler.subarray(0, MB)])
}

/** Two photos of the same name, a copy of one under another name, one that is sent in blocks, and what is no photo. */
const files: [PhoneFile, ...PhoneFile[]] = [
  photo('one'),
  photo('two'),
  { ...photo('one'), name: 'copy.jpg' },
  largePhoto(),
  createFile('notes.txt', [Buffer.from('no photo')]),
]

export const FILES = files.length
export const fileAt = (index: number): PhoneFile => files[index % FILES] ?? files[0]
