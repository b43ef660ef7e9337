import { z } from 'zod'
import type { MediaMetadata } from '../jobs/job.ts'
import { type DecodeJob, UnprocessableMediaError } from './decoder-protocol.ts'
import { isTruncated } from './is-truncated.ts'
import { runProgram, type Programs } from './programs.ts'
import { readTagTime } from './taken-at.ts'

/** Only the mov demuxer, which reads MP4 and QuickTime, may parse the file, and only local files may be opened. */
const inputArgs = (file: string): string[] => [
  ...['-protocol_whitelist', 'file,pipe'],
  ...['-f', 'mov', '-i', file],
]

// A frame of 8K has 33. Photos may have more: they are decoded by programs that need less memory for a pixel.
const MAX_FRAME_MEGAPIXELS = 120

/** The most megapixels that a frame may have. */
const frameLimit = ({ maxMegapixels }: Pick<DecodeJob, 'maxMegapixels'>): number =>
  Math.min(maxMegapixels, MAX_FRAME_MEGAPIXELS)

/** The first arguments of each call of ffmpeg: on one thread, with `inputOptions` for the original. */
export const ffmpegArgs = (
  job: Pick<DecodeJob, 'file' | 'maxMegapixels'>,
  inputOptions: readonly string[] = [],
): string[] => [
  ...['-nostdin', '-v', 'error', '-threads', '1', '-filter_threads', '1'],
  ...['-max_pixels', String(frameLimit(job) * 1e6), ...inputOptions, ...inputArgs(job.file)],
]

// HLG, in which iPhones record, and PQ.
const highDynamicRanges = ['arib-std-b67', 'smpte2084']

/**
 * The filters of ffmpeg that bring high dynamic range to the range that every screen has; without them such a video is
 * pale. They cost the least after scaling.
 */
export const toneMapFilters = (
  { colorTransfer = '' }: Pick<VideoInfo, 'colorTransfer'>,
  { canToneMap }: Pick<Programs, 'canToneMap'>,
): string[] =>
  canToneMap && highDynamicRanges.includes(colorTransfer)
    ? [
        `zscale=tin=${colorTransfer}:pin=bt2020:min=bt2020nc:t=linear:p=bt2020:m=gbr:npl=100`,
        'format=gbrpf32le',
        'zscale=p=bt709',
        // Keeps what is not bright as it is.
        'tonemap=mobius',
        'zscale=t=bt709:m=bt709:r=tv',
        'format=yuv420p',
      ]
    : []

/**
 * Reads the container of a video, or of a photo that has the tracks of one. Throws `UnprocessableMediaError` if it is
 * damaged, or has no picture or too many pixels.
 */
export const probeVideo = async (job: DecodeJob, kind: 'video' | 'photo' = 'video'): Promise<VideoInfo> => {
  const args = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', ...inputArgs(job.file)]
  const { ok, stdout } = await runProgram('ffprobe', args, job)
  if (!ok) throw new UnprocessableMediaError(`The file is not a ${kind} that can be opened.`)
  if (await isTruncated(job.file)) throw new UnprocessableMediaError(`The ${kind} is incomplete.`)
  const info = readVideoInfo(probeOutput.parse(JSON.parse(stdout.toString())))
  if (!info) throw new UnprocessableMediaError(`There is no picture in the ${kind}.`)
  const limit = frameLimit(job)
  if (info.codedPixels > limit * 1e6)
    throw new UnprocessableMediaError(`The ${kind} has more than ${limit} megapixels.`)
  return info
}

const tags = z.record(z.string(), z.string()).default({})

/** The part of ffprobe's output that is used here. */
export const probeOutput = z.object({
  streams: z
    .array(
      z.object({
        index: z.int(),
        codec_type: z.string().optional(),
        codec_name: z.string().optional(),
        color_transfer: z.string().optional(),
        width: z.int().optional(),
        height: z.int().optional(),
        sample_aspect_ratio: z.string().optional(),
        duration: z.string().optional(),
        avg_frame_rate: z.string().optional(),
        disposition: z.object({ attached_pic: z.int().default(0) }).optional(),
        side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
        tags,
      }),
    )
    .default([]),
  format: z.object({ duration: z.string().optional(), tags }).optional(),
})
type Probe = z.infer<typeof probeOutput>
type Stream = Probe['streams'][number]

/** Frames per second, from a fraction such as '30000/1001'; 0 if it is not known. */
const frameRateOf = ({ avg_frame_rate: rate }: Stream): number => {
  const [frames, seconds] = (rate ?? '').split('/').map(Number)
  return frames && seconds ? frames / seconds : 0
}

/** The pixels of anamorphic videos are not square: '4:3' means that they are a third wider than high. */
const pixelAspectRatio = ({ sample_aspect_ratio: ratio }: Stream): number => {
  const [width, height] = (ratio ?? '').split(':').map(Number)
  return width && height && width > 0 && height > 0 ? width / height : 1
}

const isRotatedSideways = ({ side_data_list, tags }: Stream): boolean => {
  const rotation =
    side_data_list.find((data) => data.rotation !== undefined)?.rotation ?? Number(tags.rotate ?? 0)
  return Math.abs(Math.round(rotation / 90)) % 2 === 1
}

const parseSeconds = (text: string | undefined): number | undefined => {
  const seconds = Number(text)
  return text !== undefined && Number.isFinite(seconds) && seconds >= 0
    ? Math.round(seconds * 1_000) / 1_000
    : undefined
}

// Those that the ffmpeg of the image decodes. iPhones record spatial audio, which it does not, beside AAC.
const audioCodecs = [
  ...['aac', 'ac3', 'alac', 'amr_nb', 'amr_wb', 'eac3', 'mp3', 'opus'],
  ...['pcm_alaw', 'pcm_mulaw', 'pcm_s16be', 'pcm_s16le', 'pcm_s24le'],
]

export interface VideoInfo {
  streamIndex: number
  codedPixels: number
  /** 0 if it is not known. */
  frameRate: number
  colorTransfer?: string
  /** The first audio stream that can be decoded. */
  audioStreamIndex?: number
  metadata: MediaMetadata
}

/** The metadata of a video, with its size as displayed; undefined if there is only sound or a cover image. */
export const readVideoInfo = ({ streams, format }: Probe): VideoInfo | undefined => {
  const stream = streams.find(
    ({ codec_type, disposition }) => codec_type === 'video' && disposition?.attached_pic !== 1,
  )
  if (!stream?.width || !stream.height) return undefined
  const displayWidth = Math.max(1, Math.round(stream.width * pixelAspectRatio(stream)))
  const [width, height] = isRotatedSideways(stream)
    ? [stream.height, displayWidth]
    : [displayWidth, stream.height]
  const durationSeconds = parseSeconds(format?.duration) ?? parseSeconds(stream.duration)
  const audio = streams.find(
    ({ codec_type, codec_name = '' }) => codec_type === 'audio' && audioCodecs.includes(codec_name),
  )
  return {
    streamIndex: stream.index,
    codedPixels: stream.width * stream.height,
    frameRate: frameRateOf(stream),
    ...(stream.color_transfer && { colorTransfer: stream.color_transfer }),
    ...(audio && { audioStreamIndex: audio.index }),
    metadata: {
      width,
      height,
      ...(durationSeconds !== undefined && { durationSeconds }),
      ...readTagTime({ ...stream.tags, ...format?.tags }),
    },
  }
}

/** The size of an image that fits into a square of `limit` pixels: same proportions, never enlarged. */
export const scaleToFit = ({ width, height }: { width: number; height: number }, limit: number) => {
  const scale = Math.min(1, limit / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The time of the poster frame. It is not the start, because the first frames are often black or blurred. */
export const posterTimeSeconds = (durationSeconds = 0): number =>
  durationSeconds < 1 ? 0 : Math.min(1, durationSeconds / 10)
