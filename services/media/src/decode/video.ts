import { join } from 'node:path'
import {
  type Decoded,
  type DecodeJob,
  type DecoderReports,
  UnprocessableMediaError,
} from './decoder-protocol.ts'
import { encodeDerivatives, sizeFor, type Pixels } from './pixels.ts'
import { runProgram } from './programs.ts'
import {
  ffmpegArgs,
  posterTimeSeconds,
  probeVideo,
  scaleToFit,
  toneMapFilters,
  type VideoInfo,
} from './video-info.ts'

const MAX_PIXELS = 1_280
const MAX_FRAME_RATE = 30
// 8K has 33 million. While it encodes, ffmpeg keeps dozens of decoded frames of HEVC.
const LARGE_FRAME_PIXELS = 16e6

/** x264 needs even sizes. */
const toEven = (pixels: number): number => Math.max(2, 2 * Math.round(pixels / 2))

/** Upright, with square pixels; fewer frames only where there are many, so that a slow phone plays it. */
const createFilter = (info: VideoInfo, { programs }: DecodeJob): string => {
  const { metadata, frameRate } = info
  const { width, height } = scaleToFit(metadata, MAX_PIXELS)
  return [
    `scale=${toEven(width)}:${toEven(height)}`,
    'setsar=1',
    ...(frameRate > MAX_FRAME_RATE + 1 ? [`fps=${MAX_FRAME_RATE}`] : []),
    ...toneMapFilters(info, programs),
  ].join()
}

const codecArgs = [
  // x264 would take a thread and a half for each core, and as much more memory.
  ...['-threads:v', '2'],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
  // What bounds the size of the file.
  ...['-maxrate', '3M', '-bufsize', '6M'],
  ...['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'],
]
// No title, location, device or time, neither of the file nor of a stream; no chapters.
const noMetadataArgs = [
  ...['-map_metadata', '-1', '-map_metadata:s:v', '-1', '-map_metadata:s:a', '-1', '-map_chapters', '-1'],
  ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
]

/**
 * Creates an MP4 with H.264 and AAC that starts to play before it is loaded, without the metadata of the original.
 * Resolves with its file.
 */
export const createRendition = async (job: DecodeJob, reports: DecoderReports): Promise<string> => {
  const info = await probeVideo(job)
  const { durationSeconds = 0 } = info.metadata
  if (durationSeconds > job.maxRenditionSeconds)
    throw new UnprocessableMediaError(`The video is longer than ${job.maxRenditionSeconds} s.`)
  if (info.codedPixels > LARGE_FRAME_PIXELS) await reports.largeFile()
  const file = join(job.folder, 'rendition.mp4')
  const args = [
    ...ffmpegArgs(job),
    // A container can lie about its duration.
    ...['-t', String(job.maxRenditionSeconds)],
    ...['-map', `0:${info.streamIndex}`, '-vf', createFilter(info, job)],
    ...(info.audioStreamIndex === undefined ? [] : ['-map', `0:${info.audioStreamIndex}`]),
    ...codecArgs,
    ...noMetadataArgs,
    ...['-movflags', '+faststart', '-f', 'mp4', file],
  ]
  const { ok, stderr } = await runProgram('ffmpeg', args, job)
  if (!ok) {
    if (stderr.includes('No space left on device')) throw new Error(`ffmpeg: ${stderr.slice(-500)}`)
    // For the worker's log: what ffmpeg says is not always about the video.
    process.stderr.write(stderr.slice(-1_000))
    throw new UnprocessableMediaError('The video is damaged.')
  }
  return file
}

/** Creates the derivatives of a video from its poster frame. */
export const decodeVideo = async (job: DecodeJob): Promise<Decoded> => {
  const info = await probeVideo(job)
  const { metadata } = info
  const seconds = posterTimeSeconds(metadata.durationSeconds)
  const poster =
    (await extractFrame(job, info, seconds)) ?? (seconds > 0 && (await extractFrame(job, info, 0)))
  if (!poster) throw new UnprocessableMediaError('The video is damaged.')
  return { ...(await encodeDerivatives(poster)), metadata }
}

/** Creates the derivatives of a HEIF that is a track of pictures, of which none is marked as the photo, from the first one. */
export const decodeImageSequence = async (job: DecodeJob): Promise<Decoded> => {
  const info = await probeVideo(job, 'photo')
  const picture = await extractFrame(job, info, 0)
  if (!picture) throw new UnprocessableMediaError('The photo is damaged.')
  const { durationSeconds: _, ...metadata } = info.metadata
  return { ...(await encodeDerivatives(picture, job.copy)), metadata }
}

/** The frame at `seconds`, upright, with square pixels, at the size that the job needs; undefined if there is none. */
const extractFrame = async (
  job: DecodeJob,
  info: VideoInfo,
  seconds: number,
): Promise<Pixels | undefined> => {
  const { streamIndex, metadata } = info
  const { width, height } = scaleToFit(metadata, sizeFor(job))
  const filters = [
    `scale=${width}:${height}:flags=lanczos`,
    'setsar=1',
    ...toneMapFilters(info, job.programs),
  ]
  const args = [
    ...ffmpegArgs(job, ['-ss', String(seconds)]),
    ...['-map', `0:${streamIndex}`, '-frames:v', '1'],
    ...['-vf', filters.join()],
    ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'],
  ]
  const { stdout } = await runProgram('ffmpeg', args, job)
  return stdout.length === width * height * 3 ? { data: stdout, width, height, channels: 3 } : undefined
}
