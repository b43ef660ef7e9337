import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sample, samplePath, type SampleName } from '@confetti/test-kit'
import sharp from 'sharp'

/** A picture of one colour; bytes for pixels, which is the quickest way to a huge one. */
const plain = (width: number, height: number) =>
  sharp(Buffer.alloc(width * height, 0x80), { raw: { width, height, channels: 1 }, limitInputPixels: false })

export const jpegOf = (width: number, height: number) => plain(width, height).jpeg().toBuffer()

/** 268 megapixels in some 100 kB. */
export const pngBomb = () => plain(16_384, 16_384).png({ compressionLevel: 9 }).toBuffer()

const firstPart = (whole: Buffer) => whole.subarray(0, Math.floor(whole.length * 0.6))

export const truncated = async (name: SampleName) => firstPart(await sample(name))

/** The index first, as in videos for the web, and then too little of what it lists. */
export const truncatedVideo = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-video-'))
  const file = join(folder, 'index-first.mp4')
  const args = ['-v', 'error', '-i', samplePath('video.mp4'), '-c', 'copy', '-movflags', '+faststart', file]
  try {
    await promisify(execFile)('ffmpeg', args)
    return firstPart(await readFile(file))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The sample clip as a phone held upright records it: its header says that it must be turned by 90 degrees. */
export const uprightVideo = async () => {
  const video = Buffer.from(await sample('video.mp4'))
  const matrix = video.indexOf('tkhd') + 44
  const quarterTurn = [0, 0x1_0000, 0, -0x1_0000, 0, 0, 0, 0, 0x4000_0000]
  for (const [place, value] of quarterTurn.entries()) video.writeInt32BE(value, matrix + 4 * place)
  return video
}
