import { readdir, readFile } from 'node:fs/promises'
import { MB } from '@confetti/contracts'

/** Returns a function that returns the resident memory of a process and all its descendants in bytes. */
const createMemoryReader = (root: number): (() => Promise<number>) => {
  // To read all processes of the machine each time would keep a core busy.
  const unrelated = new Set<number>()
  return async () => {
    const pids = (await readdir('/proc')).map(Number).filter((pid) => pid && !unrelated.has(pid))
    const processes = await Promise.all(
      pids.map(async (pid) => {
        // The process may have exited since the directory was read.
        const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
        const readField = (field: string): number =>
          Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
        return { pid, parent: readField('PPid'), bytes: readField('VmRSS') * 1_024 }
      }),
    )
    const family = new Set([root])
    for (let size = 0; size < family.size;) {
      size = family.size
      for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid)
    }
    let bytes = 0
    for (const each of processes)
      if (family.has(each.pid)) bytes += each.bytes
      else unrelated.add(each.pid)
    return bytes
  }
}

/**
 * Samples the memory of a process and all its descendants every 100 ms. Returns a function that stops sampling and
 * returns their peak in MB.
 */
export const trackPeakMemory = (pid: number): (() => Promise<number>) => {
  const readMemory = createMemoryReader(pid)
  let peakBytes = 0
  let pending = Promise.resolve()
  const sample = (): void => {
    pending = pending.then(async () => {
      peakBytes = Math.max(peakBytes, await readMemory())
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
