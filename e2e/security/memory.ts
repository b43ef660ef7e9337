import { readdir, readFile } from 'node:fs/promises'
import { MB } from '@confetti/contracts'

/** Memory of a process and all that it has started, in bytes. */
const memoryOfTree = async (root: number): Promise<number> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(
    pids.map(async (pid) => {
      // It may have ended meanwhile.
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      const read = (field: string): number =>
        Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
      return { pid: Number(pid), parent: read('PPid'), bytes: read('VmRSS') * 1_024 }
    }),
  )
  const sumFrom = (pid: number): number =>
    processes
      .filter((one) => one.pid === pid || one.parent === pid)
      .reduce((sum, one) => sum + (one.pid === pid ? one.bytes : sumFrom(one.pid)), 0)
  return sumFrom(root)
}

/** Watches over a process and all that it starts; says in the end how many MB they had at most, all together. */
export const watchMemory = (pid: number): (() => Promise<number>) => {
  let most = 0
  let looking = Promise.resolve()
  const look = (): void => {
    looking = looking.then(async () => {
      most = Math.max(most, await memoryOfTree(pid))
    })
  }
  look()
  const timer = setInterval(look, 100).unref()
  return async () => {
    clearInterval(timer)
    await looking
    return Math.round(most / MB)
  }
}
