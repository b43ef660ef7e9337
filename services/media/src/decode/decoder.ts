import {
  OUT_OF_MEMORY_STATUS,
  OUT_OF_TIME_STATUS,
  type Decoded,
  type DecodeJob,
  type DecoderAnswer,
} from './decoder-protocol.ts'
import { MediaProblem } from './media-problem.ts'
import { decodePhoto } from './photo.ts'

// The process in which one file of a guest is decoded. See decode.ts for its other side.

const job = JSON.parse(process.argv[2] ?? '') as DecodeJob

setInterval(() => {
  if (process.memoryUsage.rss() > job.memoryBytes) process.exit(OUT_OF_MEMORY_STATUS)
  const { user, system } = process.cpuUsage()
  if ((user + system) / 1_000 > job.timeLimitMs) process.exit(OUT_OF_TIME_STATUS)
}, 50)

// The worker is gone, and nobody else waits for this: end, with whatever was started from here.
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'))

const answer = (message: DecoderAnswer): void => {
  process.send?.(message, () => process.exit(0))
}

const decode = async (): Promise<Decoded> => {
  if (!job.video) return decodePhoto(job)
  const { decodeVideo } = await import('./video.ts')
  return decodeVideo(job)
}

decode().then(
  (decoded) => answer({ decoded }),
  (error: unknown) =>
    answer(error instanceof MediaProblem ? { problem: error.message } : { error: String(error) }),
)
