import type { Decoded, DecodeJob } from './decoder-protocol.ts'
import { encodeDerivatives } from './derivatives.ts'
import { MediaProblem } from './media-problem.ts'
import { isCutShort } from './cut-short.ts'
import { PREVIEW_PIXELS, type Pixels } from './pixels.ts'
import { runProgram } from './run-program.ts'
import { posterSecond, probeOutput, sizeInside, videoFacts, type VideoFacts } from './video-facts.ts'

// The mov demuxer reads MP4 and QuickTime; no other may look at the file, and nothing it names is fetched.
const input = (file: string) => ['-protocol_whitelist', 'file,pipe', '-f', 'mov', '-i', file]

/** Reads the container, refuses what is too large or has no picture, and makes the derivatives from a poster. */
export const decodeVideo = async (job: DecodeJob): Promise<Decoded> => {
  const facts = await probe(job)
  if (facts.codedPixels > job.maxMegapixels * 1e6)
    throw new MediaProblem(`The video has more than ${job.maxMegapixels} megapixels.`)
  const start = posterSecond(facts.measures.durationSeconds)
  const poster = (await grabPoster(job, facts, start)) ?? (start > 0 && (await grabPoster(job, facts, 0)))
  if (!poster) throw new MediaProblem('The video is damaged.')
  return { ...(await encodeDerivatives(poster)), measures: facts.measures }
}

const probe = async (job: DecodeJob): Promise<VideoFacts> => {
  const args = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', ...input(job.file)]
  const { ok, stdout } = await runProgram('ffprobe', args, job)
  if (!ok) throw new MediaProblem('The file is not a video that can be opened.')
  if (await isCutShort(job.file)) throw new MediaProblem('The video is incomplete.')
  const facts = videoFacts(probeOutput.parse(JSON.parse(stdout.toString())))
  if (!facts) throw new MediaProblem('There is no picture in the video.')
  return facts
}

/** The picture at `second`, upright, with square pixels, no larger than a preview; undefined if there is none. */
const grabPoster = async (
  job: DecodeJob,
  { streamIndex, measures }: VideoFacts,
  second: number,
): Promise<Pixels | undefined> => {
  const size = sizeInside(measures, PREVIEW_PIXELS)
  const args = [
    ...['-nostdin', '-v', 'error', '-threads', '1', '-filter_threads', '1'],
    ...['-max_pixels', String(job.maxMegapixels * 1e6), '-ss', String(second), ...input(job.file)],
    ...['-map', `0:${streamIndex}`, '-frames:v', '1'],
    ...['-vf', `scale=${size.width}:${size.height}:flags=lanczos,setsar=1`],
    ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'],
  ]
  const { stdout } = await runProgram('ffmpeg', args, job)
  return stdout.length === size.width * size.height * 3 ? { data: stdout, ...size, channels: 3 } : undefined
}
