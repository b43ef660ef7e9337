import { readdir, readFile } from 'node:fs/promises'

/** The processes that have `text` in their command line, as a decoder has the folder that it works in. */
export const processesWith = async (text: string): Promise<number[]> => {
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return line.includes(text)
    }),
  )
  return pids.filter((_, index) => found[index])
}
