import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { readSample, samplePath, type SampleName } from '@confetti/test-kit'
import sharp from 'sharp'

/** The checksums that are published of a file. */
export const checksumsOf = (bytes: Uint8Array) => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  crc32: crc32(bytes),
})

const growBox = (file: Buffer, type: string, bytes: number): void => {
  const start = file.indexOf(type) - 4
  file.writeUInt32BE(file.readUInt32BE(start) + bytes, start)
}

/** The iPhone photo as iOS 18 writes it: the gain map belongs to two items. libheif before 1.18 refuses it. */
export const ios18Photo = async (): Promise<Buffer<ArrayBuffer>> => {
  const photo = await readSample('iphone-13.heic')
  const references = photo.indexOf('auxl') + 6
  const end = references + 2 + 2 * photo.readUInt16BE(references)
  const thumbnail = Buffer.from([0, 50])
  const changed = Buffer.concat([photo.subarray(0, end), thumbnail, photo.subarray(end)])
  changed.writeUInt16BE(photo.readUInt16BE(references) + 1, references)
  for (const box of ['auxl', 'iref', 'meta']) growBox(changed, box, thumbnail.length)
  // Items that are not in the box `idat` (construction method 1) have moved.
  const locations = changed.indexOf('iloc')
  const count = changed.readUInt16BE(locations + 10)
  for (let item = locations + 12; item < locations + 12 + 16 * count; item += 16)
    if (changed.readUInt16BE(item + 2) === 0)
      changed.writeUInt32BE(changed.readUInt32BE(item + 8) + thumbnail.length, item + 8)
  return changed
}

/** A photo of full length whose pixels no decoder can read. */
export const damagedHeic = async (): Promise<Buffer<ArrayBuffer>> => {
  const photo = Buffer.from(await readSample('iphone-13.heic'))
  return photo.fill(0, photo.indexOf('mdat') + 4)
}

/** The sample clip with the brand in its header that many Android phones write. */
export const androidVideo = async (brand: '3gp4' | '3gp5' | '3gp6'): Promise<Buffer<ArrayBuffer>> => {
  const video = Buffer.from(await readSample('video.mp4'))
  video.write(brand, video.indexOf('ftyp') + 4)
  return video
}

/** A grey image; from raw bytes, which is the fastest way to create a huge one. */
const greyImage = (width: number, height: number) =>
  sharp(Buffer.alloc(width * height, 0x80), { raw: { width, height, channels: 1 }, limitInputPixels: false })

export const jpegOf = (width: number, height: number) => greyImage(width, height).jpeg().toBuffer()

/** A decoder keeps all of it in memory until it has read the last scan. */
export const progressiveJpegOf = (width: number, height: number) =>
  greyImage(width, height).jpeg({ progressive: true }).toBuffer()

/** 268 megapixels in about 100 kB. */
export const pngBomb = () => greyImage(16_384, 16_384).png({ compressionLevel: 9 }).toBuffer()

const firstSixtyPercent = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * 0.6))

export const truncated = async (name: SampleName, share = 0.6) => {
  const bytes = await readSample(name)
  return bytes.subarray(0, Math.floor(bytes.length * share))
}

/** A JPEG of a phone that ends before its pixels begin. */
export const jpegHeader = async () => {
  const photo = await readSample('phone-jolla.jpg')
  const startOfScan = photo.lastIndexOf(Buffer.from([0xff, 0xda, 0x00, 0x0c]))
  return photo.subarray(0, startOfScan + 14)
}

/** Returns the video that ffmpeg makes with these arguments. */
export const madeByFfmpeg = async (extension: 'mp4' | 'mov', args: readonly string[]): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-video-'))
  const file = join(folder, `made.${extension}`)
  try {
    await promisify(execFile)('ffmpeg', ['-v', 'error', ...args, file])
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A truncated video with its index at the start, as in videos for the web. */
export const truncatedVideo = async () =>
  firstSixtyPercent(
    await madeByFfmpeg('mp4', ['-i', samplePath('video.mp4'), '-c', 'copy', '-movflags', '+faststart']),
  )

const makePhoneVideo = () =>
  madeByFfmpeg('mov', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=3840x2160:rate=60', '-f', 'lavfi', '-i', 'sine=frequency=440'],
    ...['-t', '0.5', '-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'],
    ...['-pix_fmt', 'yuv420p10le', '-tag:v', 'hvc1', '-c:a', 'aac', '-movflags', 'use_metadata_tags'],
    ...['-metadata', 'com.apple.quicktime.location.ISO6709=+48.1372+011.5756/'],
    ...['-metadata', 'com.apple.quicktime.make=Apple', '-metadata', 'com.apple.quicktime.model=iPhone 15'],
    ...['-metadata', 'title=Our secret title', '-metadata', 'creation_time=2026-06-12T21:40:07Z'],
    ...['-metadata:s:v', 'handler_name=iPhone camera'],
  ])

let madePhoneVideo: Promise<Buffer> | undefined
/** Half a second of HEVC in 4K with 60 frames a second, and with the metadata of a phone. */
export const phoneVideo = (): Promise<Buffer> => (madePhoneVideo ??= makePhoneVideo())

/** Two frames of HEVC in 8K with 10 bits. */
export const hevc8kVideo = () =>
  madeByFfmpeg('mov', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=7680x4320:rate=30', '-frames:v', '2'],
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'],
    ...['-pix_fmt', 'yuv420p10le', '-tag:v', 'hvc1'],
  ])

/** The sample clip with a rotation of 90 degrees in its header, as phones record in portrait orientation. */
export const portraitVideo = async () => {
  const video = Buffer.from(await readSample('video.mp4'))
  const matrix = video.indexOf('tkhd') + 44
  const quarterTurn = [0, 0x1_0000, 0, -0x1_0000, 0, 0, 0, 0, 0x4000_0000]
  for (const [index, value] of quarterTurn.entries()) video.writeInt32BE(value, matrix + 4 * index)
  return video
}

/** Half a second of a plain colour, in the transfer of high dynamic range that a phone records. */
export const highDynamicRangeVideo = (colour: string, transfer: 'arib-std-b67' | 'smpte2084') =>
  madeByFfmpeg('mov', [
    ...['-f', 'lavfi', '-i', `color=c=${colour}:size=320x180:rate=10`, '-t', '0.5'],
    '-vf',
    [
      'format=yuv444p,zscale=tin=bt709:pin=bt709:min=bt709:rin=tv:t=linear:p=bt709:m=gbr:npl=100,format=gbrpf32le',
      `zscale=p=bt2020:t=${transfer}:m=bt2020nc:r=tv:npl=100,format=yuv420p10le`,
    ].join(),
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1'],
    ...['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc'],
  ])

/** A video whose first audio stream has an unknown codec, like the spatial audio of an iPhone, before `aacStreams` others. */
export const spatialAudioVideo = async (aacStreams: 0 | 1) => {
  const audio = ['-map', '0:a', ...(aacStreams ? ['-map', '0:a'] : [])]
  const args = ['-i', samplePath('video.mp4'), '-map', '0:v', ...audio, '-c', 'copy', '-t', '1']
  const video = await madeByFfmpeg('mov', args)
  const sample = video.indexOf('mp4a', video.lastIndexOf('moov'))
  video.write('apac', sample)
  // What says that it is AAC.
  video.write('free', video.indexOf('esds', sample))
  return video
}
