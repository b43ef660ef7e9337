import { readdir, readFile } from 'node:fs/promises'
import { MB } from '@confetti/contracts'

/** Returns the resident memory of a process and all its descendants in bytes. */
const readProcessTreeMemory = async (root: number): Promise<number> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(
    pids.map(async (pid) => {
      // The process may have exited since the directory was read.
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      const readField = (field: string): number =>
        Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
      return { pid: Number(pid), parent: readField('PPid'), bytes: readField('VmRSS') * 1_024 }
    }),
  )
  const sumFrom = (pid: number): number =>
    processes
      .filter((each) => each.pid === pid || each.parent === pid)
      .reduce((sum, each) => sum + (each.pid === pid ? each.bytes : sumFrom(each.pid)), 0)
  return sumFrom(root)
}

/**
 * Samples the memory of a process and all its descendants every 100 ms. Returns a function that stops sampling and
 * returns their peak in MB.
 */
export const trackPeakMemory = (pid: number): (() => Promise<number>) => {
  let peakBytes = 0
  let pending = Promise.resolve()
  const sample = (): void => {
    pending = pending.then(async () => {
      peakBytes = Math.max(peakBytes, await readProcessTreeMemory(pid))
    })
  }
  sample()
  const timer = setInterval(sample, 100).unref()
  return async () => {
    clearInterval(timer)
    await pending
    return Math.round(peakBytes / MB)
  }
}
