import { readdir, readFile } from 'node:fs/promises'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'

/** The process ids of a media worker's running decoders, whose command lines contain the worker's folder. */
export const findDecoders = async (worker: ServiceProcess): Promise<number[]> => {
  const folder = `confetti-media-${worker.pid()}/job-`
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const isDecoder = await Promise.all(
    pids.map(async (pid) =>
      (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(folder),
    ),
  )
  return pids.filter((_, index) => isDecoder[index])
}

/** Resolves with the process id of a decoder as soon as the worker runs one. */
export const waitForDecoder = (worker: ServiceProcess): Promise<number> =>
  eventually(async () => (await findDecoders(worker))[0], 'a running decoder')
