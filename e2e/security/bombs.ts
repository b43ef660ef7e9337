import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflateSync } from 'node:zlib'
import { readSample } from '@confetti/test-kit'
import { box, nestedBoxes, replaceBoxes, uint32 } from './mp4-boxes.ts'

// Decompression bombs and similar: small files that make a naive decoder use much memory, time or stack.

const chunk = (type: string, content: Buffer): Buffer => {
  const typeAndContent = Buffer.concat([Buffer.from(type), content])
  return Buffer.concat([uint32(content.length), typeAndContent, uint32(crc32(typeAndContent))])
}

/** Creates a grey PNG that claims any size but contains at most 64 rows. `extraChunks` come before the pixels. */
const png = (width: number, height: number, ...extraChunks: Buffer[]): Buffer<ArrayBuffer> =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.of(8, 0, 0, 0, 0)])),
    ...extraChunks,
    chunk('IDAT', deflateSync(Buffer.alloc(Math.min(65, width + 1) * Math.min(64, height)))),
    chunk('IEND', Buffer.of()),
  ])

const compressedZeros = (megabytes: number): Buffer =>
  deflateSync(Buffer.alloc(megabytes * 1_048_576), { level: 9 })
const textChunkHeader = (name: string): Buffer => Buffer.from(`${name}\0\0`, 'latin1')

const uint16LE = (value: number): Buffer => Buffer.of(value & 255, value >> 8)
const gifFrame = Buffer.from('21f90400000000002c0000000001000100000202440100', 'hex')
const gif = (width: number, height: number, frames: number): Buffer<ArrayBuffer> =>
  Buffer.concat([
    Buffer.from('GIF89a'),
    uint16LE(width),
    uint16LE(height),
    Buffer.from('800000ffffff000000', 'hex'),
    ...Array<Buffer>(frames).fill(gifFrame),
    Buffer.from(';'),
  ])

/** A sample whose header claims other dimensions. */
const hugeJpeg = async (): Promise<Buffer<ArrayBuffer>> => {
  const photo = Buffer.from(await readSample('orientation-6.jpg'))
  const frame = photo.indexOf(Buffer.from('ffc0', 'hex'))
  photo.writeUInt16BE(65_500, frame + 5)
  photo.writeUInt16BE(65_500, frame + 7)
  return photo
}

const hugeWebp = (): Buffer<ArrayBuffer> => {
  const frame = Buffer.concat([
    Buffer.from('VP8X'),
    Buffer.of(10, 0, 0, 0),
    Buffer.of(2, 0, 0, 0),
    Buffer.alloc(6, 0xff),
  ])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(frame.length + 4)
  return Buffer.concat([Buffer.from('RIFF'), size, Buffer.from('WEBP'), frame])
}

const hugeHeic = async (): Promise<Buffer<ArrayBuffer>> => {
  const photo = Buffer.from(await readSample('iphone-13.heic'))
  for (let at = photo.indexOf('ispe'); at >= 0; at = photo.indexOf('ispe', at + 1)) {
    photo.writeUInt32BE(0x7fff_0000, at + 8)
    photo.writeUInt32BE(0x7fff_0000, at + 12)
  }
  return photo
}

const heicHead = box('ftyp', 'heic', uint32(0), 'mif1heic')
const mp4Head = box('ftyp', 'isom', uint32(512), 'isomiso2avc1mp41')

/** A video with one frame of 144 megapixels. */
const hugeVideo = async (): Promise<Buffer<ArrayBuffer>> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-bomb-'))
  const file = join(folder, 'huge.mov')
  const picture = ['-f', 'lavfi', '-i', 'color=gray:s=12000x12000,format=gray', '-frames:v', '1']
  try {
    await promisify(execFile)('ffmpeg', ['-v', 'error', ...picture, '-c:v', 'png', file])
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A sample whose header claims a duration of 136 years. */
const endlessVideo = async (): Promise<Buffer<ArrayBuffer>> =>
  replaceBoxes(await readSample('video.mov'), 'mvhd', (content) => {
    const changed = Buffer.from(content)
    changed.writeUInt32BE(1, 12)
    changed.writeUInt32BE(0xffff_fffe, 16)
    return box('mvhd', changed)
  })

/** The files, each with its expected failure reason, or `ready` if it is processed successfully. */
export const bombs: readonly [
  string,
  () => Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>>,
  RegExp | 'ready',
][] = [
  ['a PNG of 65,535 x 65,535', () => png(65_535, 65_535), /megapixels/],
  ['a PNG with the largest possible dimensions', () => png(0x7fff_ffff, 0x7fff_ffff), /megapixels|photo/],
  [
    'a PNG with a colour profile of 200 MB',
    () => png(64, 64, chunk('iCCP', Buffer.concat([textChunkHeader('x'), compressedZeros(200)]))),
    'ready',
  ],
  [
    'a PNG with a text chunk of 200 MB',
    () => png(64, 64, chunk('zTXt', Buffer.concat([textChunkHeader('x'), compressedZeros(200)]))),
    'ready',
  ],
  // Its only frame is small, and the decoder uses the size of the frame.
  ['a GIF of 65,535 x 65,535', () => gif(65_535, 65_535, 1), 'ready'],
  ['a GIF of 20,000 frames', () => gif(1, 1, 20_000), 'ready'],
  ['a JPEG of 65,500 x 65,500', hugeJpeg, /megapixels/],
  ['a WEBP of 16 million by 16 million', hugeWebp, /megapixels|photo/],
  ['a HEIC of 2 billion by 2 billion', hugeHeic, /megapixels|photo/],
  ['a HEIC with 50,000 nested boxes', () => Buffer.concat([heicHead, nestedBoxes('meta', 50_000)]), /photo/],
  ['an MP4 with 50,000 nested boxes', () => Buffer.concat([mp4Head, nestedBoxes('trak', 50_000)]), /video/],
  [
    'an MP4 with a box that is longer than the file',
    () => Buffer.concat([mp4Head, uint32(1), Buffer.from('moov'), Buffer.alloc(8, 0x7f)]),
    /video/,
  ],
  ['a video of 12,000 x 12,000', hugeVideo, /megapixels/],
  ['a video of 136 years', endlessVideo, 'ready'],
]
