import { readdir, readFile } from 'node:fs/promises'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'

/** The process ids of a media worker's running decoders, whose command lines contain the worker's folder and the task. */
export const findDecoders = async (worker: ServiceProcess, task = ''): Promise<number[]> => {
  const folder = `confetti-media-${worker.pid()}/job-`
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const isDecoder = await Promise.all(
    pids.map(async (pid) => {
      const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return commandLine.includes(folder) && commandLine.includes(`"task":"${task}`)
    }),
  )
  return pids.filter((_, index) => isDecoder[index])
}

/** Resolves with the process id of a decoder as soon as the worker runs one. */
export const waitForDecoder = (worker: ServiceProcess, task?: string): Promise<number> =>
  eventually(async () => (await findDecoders(worker, task))[0], 'a running decoder')
