import { once } from 'node:events'
import {
  CPU_TIME_EXCEEDED_STATUS,
  HEIF_FALLBACK,
  LARGE_FILE,
  MEMORY_EXCEEDED_STATUS,
  type DecodeJob,
  type DecoderReports,
  type DecoderResult,
  type DecoderTask,
  type DecoderTasks,
} from './decoder-protocol.ts'
import { UnprocessableMediaError } from './errors.ts'
import { decodePhoto } from './photo.ts'

// The process that decodes one file. decode.ts starts it.

const job = JSON.parse(process.argv[2] ?? '') as DecodeJob

setInterval(() => {
  if (process.memoryUsage.rss() > job.memoryBytes) process.exit(MEMORY_EXCEEDED_STATUS)
  const { user, system } = process.cpuUsage()
  if ((user + system) / 1_000 > job.cpuTimeLimitMs) process.exit(CPU_TIME_EXCEEDED_STATUS)
}, 50)

// The worker has died: end this process and the programs that it has started.
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'))

const sendResult = (result: DecoderResult): void => {
  process.send?.(result, () => process.exit(0))
}

const reports: DecoderReports = {
  heifFallback: () => process.send?.(HEIF_FALLBACK),
  largeFile: async () => {
    process.send?.(LARGE_FILE)
    await once(process, 'message')
    job.memoryBytes = job.largeMemoryBytes
  },
}

const work = async (): Promise<DecoderTasks[DecoderTask]> => {
  if (job.task === 'photo') return decodePhoto(job, reports)
  if (job.task === 'video') return (await import('./video.ts')).decodeVideo(job)
  return (await import('./video.ts')).createRendition(job, reports)
}

work().then(
  (result) => sendResult({ result }),
  (error: unknown) =>
    sendResult(
      error instanceof UnprocessableMediaError ? { unprocessable: error.message } : { error: String(error) },
    ),
)
