import { readdir, readFile } from 'node:fs/promises'

/** The ids of processes with all of `texts` in their command line. A decoder has its working folder and its task there. */
export const processesWith = async (...texts: string[]): Promise<number[]> => {
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return texts.every((text) => line.includes(text))
    }),
  )
  return pids.filter((_, index) => found[index])
}
