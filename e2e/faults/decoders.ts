import { readdir, readFile } from 'node:fs/promises'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'

/** What a decoder's command line has of its job. */
interface Job {
  task?: 'rendition'
  contentType?: 'image/heic'
}

/** The process ids of a media worker's running decoders with such a job. Their command lines contain the worker's folder. */
export const findDecoders = async (worker: ServiceProcess, job: Job = {}): Promise<number[]> => {
  const words = Object.entries(job).map(([name, value]) => `"${name}":"${value}"`)
  const folder = `confetti-media-${worker.pid()}/job-`
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const isDecoder = await Promise.all(
    pids.map(async (pid) => {
      const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return [folder, '"task":', ...words].every((word) => commandLine.includes(word))
    }),
  )
  return pids.filter((_, index) => isDecoder[index])
}

/** Resolves with the process id of a decoder as soon as the worker runs one. */
export const waitForDecoder = (worker: ServiceProcess, job?: Job): Promise<number> =>
  eventually(async () => (await findDecoders(worker, job))[0], 'a running decoder')
