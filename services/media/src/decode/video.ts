import type { Decoded, DecodeJob } from './decoder-protocol.ts'
import { encodeDerivatives } from './derivatives.ts'
import { UnprocessableMediaError } from './errors.ts'
import { isTruncated } from './is-truncated.ts'
import { PREVIEW_PIXELS, type Pixels } from './pixels.ts'
import { runProgram } from './run-program.ts'
import { posterTimeSeconds, probeOutput, readVideoInfo, scaleToFit, type VideoInfo } from './video-info.ts'

// Only the mov demuxer, which reads MP4 and QuickTime, may parse the file, and only local files may be opened.
const inputArgs = (file: string) => ['-protocol_whitelist', 'file,pipe', '-f', 'mov', '-i', file]

/** Reads the container, rejects a video with too many pixels, and creates the derivatives from its poster frame. */
export const decodeVideo = async (job: DecodeJob): Promise<Decoded> => {
  const info = await probe(job)
  const { codedPixels, metadata } = info
  if (codedPixels > job.maxMegapixels * 1e6)
    throw new UnprocessableMediaError(`The video has more than ${job.maxMegapixels} megapixels.`)
  const seconds = posterTimeSeconds(metadata.durationSeconds)
  const poster =
    (await extractFrame(job, info, seconds)) ?? (seconds > 0 && (await extractFrame(job, info, 0)))
  if (!poster) throw new UnprocessableMediaError('The video is damaged.')
  return { ...(await encodeDerivatives(poster)), metadata }
}

const probe = async (job: DecodeJob): Promise<VideoInfo> => {
  const args = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', ...inputArgs(job.file)]
  const { ok, stdout } = await runProgram('ffprobe', args, job)
  if (!ok) throw new UnprocessableMediaError('The file is not a video that can be opened.')
  if (await isTruncated(job.file)) throw new UnprocessableMediaError('The video is incomplete.')
  const info = readVideoInfo(probeOutput.parse(JSON.parse(stdout.toString())))
  if (!info) throw new UnprocessableMediaError('There is no picture in the video.')
  return info
}

/** The frame at `seconds`, upright, with square pixels, at the size of a preview; undefined if there is none. */
const extractFrame = async (
  job: DecodeJob,
  { streamIndex, metadata }: VideoInfo,
  seconds: number,
): Promise<Pixels | undefined> => {
  const { width, height } = scaleToFit(metadata, PREVIEW_PIXELS)
  const args = [
    ...['-nostdin', '-v', 'error', '-threads', '1', '-filter_threads', '1'],
    ...['-max_pixels', String(job.maxMegapixels * 1e6), '-ss', String(seconds), ...inputArgs(job.file)],
    ...['-map', `0:${streamIndex}`, '-frames:v', '1'],
    ...['-vf', `scale=${width}:${height}:flags=lanczos,setsar=1`],
    ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'],
  ]
  const { stdout } = await runProgram('ffmpeg', args, job)
  return stdout.length === width * height * 3 ? { data: stdout, width, height, channels: 3 } : undefined
}
