import type { DecodeJob } from './decoder-protocol.ts'
import { UnprocessableMediaError } from './errors.ts'
import { inputArgs } from './ffmpeg-args.ts'
import { isTruncated } from './is-truncated.ts'
import { runProgram } from './run-program.ts'
import { probeOutput, readVideoInfo, type VideoInfo } from './video-info.ts'

/** Reads the container of a video. Throws `UnprocessableMediaError` if it is damaged, or has no picture or too many pixels. */
export const probeVideo = async (job: DecodeJob): Promise<VideoInfo> => {
  const args = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', ...inputArgs(job.file)]
  const { ok, stdout } = await runProgram('ffprobe', args, job)
  if (!ok) throw new UnprocessableMediaError('The file is not a video that can be opened.')
  if (await isTruncated(job.file)) throw new UnprocessableMediaError('The video is incomplete.')
  const info = readVideoInfo(probeOutput.parse(JSON.parse(stdout.toString())))
  if (!info) throw new UnprocessableMediaError('There is no picture in the video.')
  if (info.codedPixels > job.maxMegapixels * 1e6)
    throw new UnprocessableMediaError(`The video has more than ${job.maxMegapixels} megapixels.`)
  return info
}
