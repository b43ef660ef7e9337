import { once } from 'node:events'
import {
  CPU_TIME_EXCEEDED_STATUS,
  type DecodeJob,
  type DecoderReports,
  type DecoderResult,
  type DecoderTask,
  type DecoderTasks,
  HEIF_FALLBACK,
  LARGE_FILE,
  LARGE_FILE_ALLOWED,
  MEMORY_EXCEEDED_STATUS,
  UnprocessableMediaError,
} from './decoder-protocol.ts'
import { decodePhoto } from './photo.ts'

// The process that decodes one file after another. The worker kills it when no other one comes (decoder-processes.ts).

let job: DecodeJob
let startCpuTimeMs = 0

const readCpuTimeMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

setInterval(() => {
  if (process.memoryUsage.rss() > job.memoryBytes) process.exit(MEMORY_EXCEEDED_STATUS)
  if (readCpuTimeMs() - startCpuTimeMs > job.cpuTimeLimitMs) process.exit(CPU_TIME_EXCEEDED_STATUS)
}, 50)

// The worker has died: end this process and the programs that it has started.
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'))

const send = (result: DecoderResult): void => {
  process.send?.(result)
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

const run = (nextJob: DecodeJob): void => {
  job = nextJob
  work().then(
    (result) => send({ result, residentBytes: process.memoryUsage.rss() }),
    (error: unknown) =>
      send(
        error instanceof UnprocessableMediaError
          ? { unprocessable: error.message }
          : { error: String(error) },
      ),
  )
}

process.on('message', (message) => {
  if (message === LARGE_FILE_ALLOWED) return
  startCpuTimeMs = readCpuTimeMs()
  run(message as DecodeJob)
})
run(JSON.parse(process.argv[2] ?? '') as DecodeJob)
