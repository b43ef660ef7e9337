import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

// What Linux says of processes in /proc.

/** Processes by what they are to the measurement. */
export type Watched = Readonly<Record<string, readonly number[]>>

export interface Usage {
  /** Of processor time, with that of children which have ended. */
  cpuSeconds: number
  /** Highest resident memory, added up over the processes. */
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

/** The fields of /proc/<pid>/stat behind the program's name, which may hold spaces. */
const statOf = (pid: number): string[] => read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
const parentOf = (pid: number): number => Number(statOf(pid)[1])
const ticksOf = (pid: number): number =>
  statOf(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0)

const kilobytes = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(read(pid, 'status'))?.[1] ?? 0)

const peakBytes = (pid: number): number => kilobytes(pid, 'VmHWM') * 1_024

/** Makes the kernel forget the highest resident memory so far; a process that has ended has none. */
const forgetPeak = (pid: number): void => {
  if (existsSync(`/proc/${pid}`)) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

export const residentBytes = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + kilobytes(pid, 'VmRSS') * 1_024, 0)

const runningPids = (): number[] => readdirSync('/proc').map(Number).filter(Boolean)

/** Of all running processes: which of `pids` each came from, the nearest one. */
const ancestorsAmong = (pids: readonly number[]): Map<number, number | undefined> => {
  const parents = new Map(runningPids().map((pid) => [pid, parentOf(pid)]))
  const nearest = (pid: number | undefined): number | undefined =>
    pid === undefined || pids.includes(pid) ? pid : nearest(parents.get(pid))
  return new Map([...parents.keys()].map((pid) => [pid, nearest(pid)]))
}

/** The backends, by what their commands name. */
export const backendPrograms = {
  'blob storage': /azurite/,
  database: /mongod|ferretdb|postgres/,
  broker: /beam\.smp/,
  Redis: /redis-server|valkey-server/,
}

/** The processes below this one whose command names one of these programs. */
export const programsOfOurs = (programs: Readonly<Record<string, RegExp>>): Record<string, number[]> => {
  const ours = [...ancestorsAmong([process.pid])].flatMap(([pid, from]) => (from === undefined ? [] : [pid]))
  return Object.fromEntries(
    Object.entries(programs).map(([name, command]) => [
      name,
      ours.filter((pid) => command.test(read(pid, 'cmdline').replaceAll('\0', ' '))),
    ]),
  )
}

/** Processor time of each of `pids` so far, with that of what it started. */
const ticksOfEach = (pids: readonly number[]): Map<number, number> => {
  const ticks = new Map<number, number>()
  for (const [pid, from] of ancestorsAmong(pids))
    if (from !== undefined) ticks.set(from, (ticks.get(from) ?? 0) + ticksOf(pid))
  return ticks
}

/** Measures from now on; the result says what each group used till then. */
export const watchProcesses = (watched: Watched): (() => Record<string, Usage>) => {
  const all = Object.values(watched).flat()
  const before = ticksOfEach(all)
  for (const pid of all) forgetPeak(pid)
  return () => {
    const after = ticksOfEach(all)
    const ticksSince = (pid: number): number => (after.get(pid) ?? 0) - (before.get(pid) ?? 0)
    const sum = (pids: readonly number[], of: (pid: number) => number): number =>
      pids.reduce((total, pid) => total + of(pid), 0)
    return Object.fromEntries(
      Object.entries(watched).map(([name, pids]) => [
        name,
        {
          cpuSeconds: sum(pids, ticksSince) / TICKS_PER_SECOND,
          peakBytes: sum(pids, peakBytes),
        },
      ]),
    )
  }
}
