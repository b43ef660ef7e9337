import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

// Measures processes by the files in Linux' /proc.

/** Process ids by the name under which they are reported. */
export type ProcessGroups = Readonly<Record<string, readonly number[]>>

export interface Usage {
  /** CPU time, including that of child processes. */
  cpuSeconds: number
  /** Peak resident memory, summed over the processes. */
  peakBytes: number
}

const TICKS_PER_SECOND = 100

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** The fields of /proc/<pid>/stat after the program's name, which may contain spaces. */
const statOf = (pid: number): string[] => read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
const parentOf = (pid: number): number => Number(statOf(pid)[1])
const ticksOf = (pid: number): number =>
  statOf(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0)

/** CPU time of a process, and of its children that have ended. */
export const cpuSecondsOf = (pid: number): number => ticksOf(pid) / TICKS_PER_SECOND

const kilobytes = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(read(pid, 'status'))?.[1] ?? 0)

const peakBytes = (pid: number): number => kilobytes(pid, 'VmHWM') * 1_024

/** Resets the kernel's record of the peak resident memory. Does nothing if the process has ended. */
const resetPeak = (pid: number): void => {
  if (existsSync(`/proc/${pid}`)) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

export const residentBytes = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + kilobytes(pid, 'VmRSS') * 1_024, 0)

const runningPids = (): number[] => readdirSync('/proc').map(Number).filter(Boolean)

/** For each running process, the nearest of `pids` among the process itself and its ancestors. */
const nearestAncestors = (pids: readonly number[]): Map<number, number | undefined> => {
  const parents = new Map(runningPids().map((pid) => [pid, parentOf(pid)]))
  const nearest = (pid: number | undefined): number | undefined =>
    pid === undefined || pids.includes(pid) ? pid : nearest(parents.get(pid))
  return new Map([...parents.keys()].map((pid) => [pid, nearest(pid)]))
}

/** The backends, by their command lines. */
export const backendCommands = {
  'blob storage': /azurite/,
  database: /mongod|ferretdb|postgres/,
  broker: /beam\.smp/,
  Redis: /redis-server|valkey-server/,
}

/** The descendants of this process whose command line matches, by the names in `commands`. */
export const findChildProcesses = (commands: Readonly<Record<string, RegExp>>): Record<string, number[]> => {
  const descendants = [...nearestAncestors([process.pid])].flatMap(([pid, ancestor]) =>
    ancestor === undefined ? [] : [pid],
  )
  return Object.fromEntries(
    Object.entries(commands).map(([name, command]) => [
      name,
      descendants.filter((pid) => command.test(read(pid, 'cmdline').replaceAll('\0', ' '))),
    ]),
  )
}

/** CPU time of each of `pids` so far, including its descendants. */
const readTicks = (pids: readonly number[]): Map<number, number> => {
  const ticks = new Map<number, number>()
  for (const [pid, ancestor] of nearestAncestors(pids))
    if (ancestor !== undefined) ticks.set(ancestor, (ticks.get(ancestor) ?? 0) + ticksOf(pid))
  return ticks
}

/** Starts to measure. Returns a function that reads what each group has used since then. */
export const measureProcesses = (groups: ProcessGroups): (() => Record<string, Usage>) => {
  const all = Object.values(groups).flat()
  const before = readTicks(all)
  for (const pid of all) resetPeak(pid)
  return () => {
    const after = readTicks(all)
    const ticksSince = (pid: number): number => (after.get(pid) ?? 0) - (before.get(pid) ?? 0)
    const sum = (pids: readonly number[], of: (pid: number) => number): number =>
      pids.reduce((total, pid) => total + of(pid), 0)
    return Object.fromEntries(
      Object.entries(groups).map(([name, pids]) => [
        name,
        {
          cpuSeconds: sum(pids, ticksSince) / TICKS_PER_SECOND,
          peakBytes: sum(pids, peakBytes),
        },
      ]),
    )
  }
}
