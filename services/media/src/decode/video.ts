import type { Decoded, DecodeJob } from './decoder-protocol.ts'
import { encodeDerivatives } from './derivatives.ts'
import { UnprocessableMediaError } from './errors.ts'
import { ffmpegArgs } from './ffmpeg-args.ts'
import { PREVIEW_PIXELS, type Pixels } from './pixels.ts'
import { probeVideo } from './probe-video.ts'
import { runProgram } from './run-program.ts'
import { toneMapFilters } from './tone-map.ts'
import { posterTimeSeconds, scaleToFit, type VideoInfo } from './video-info.ts'

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

/** The frame at `seconds`, upright, with square pixels, at the size of a preview; undefined if there is none. */
const extractFrame = async (
  job: DecodeJob,
  info: VideoInfo,
  seconds: number,
): Promise<Pixels | undefined> => {
  const { streamIndex, metadata } = info
  const { width, height } = scaleToFit(metadata, PREVIEW_PIXELS)
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
