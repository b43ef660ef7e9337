import { readdir, readFile } from 'node:fs/promises'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'

/** The decoders that a media worker runs now; each has the worker's folder in its command line. */
export const decodersOf = async (worker: ServiceProcess): Promise<number[]> => {
  const folder = `confetti-media-${worker.pid()}/job-`
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const isDecoder = await Promise.all(
    pids.map(async (pid) =>
      (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(folder),
    ),
  )
  return pids.filter((_, index) => isDecoder[index])
}

/** Resolves in the middle of a job, with its decoder. */
export const whenDecoding = (worker: ServiceProcess): Promise<number> =>
  eventually(async () => (await decodersOf(worker))[0], 'a running decoder')
