import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { waitUntil } from './wait-until.ts'

/** Identifies a process. The start time distinguishes it from a later process with the same id. */
interface ProcessRecord {
  pid: number
  startTime: string
  stopSignal: NodeJS.Signals
}

export const ownersDir = (dataDir: string): string => join(dataDir, 'run', 'owners')
export const serversDir = (dataDir: string): string => join(dataDir, 'run', 'servers')
/** Holds an empty file for each container that may be running, named like the container. */
export const containersDir = (dataDir: string): string => join(dataDir, 'run', 'containers')
export const watchdogFile = (dataDir: string): string => join(dataDir, 'run', 'watchdog.json')

const hasProcFs = existsSync('/proc/self/stat')

// The start time in the format of the operating system; undefined for a zombie and where there is no process.
const readStartTime = (pid: number): string | undefined => {
  try {
    if (!hasProcFs) return readStartTimeFromPs(pid)
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses and may contain spaces: parse what follows it.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : rest[18]
  } catch {
    return undefined
  }
}

const readStartTimeFromPs = (pid: number): string | undefined => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
  })
  const [state, ...startTime] = stdout.trim().split(/\s+/)
  return !state || state.startsWith('Z') ? undefined : startTime.join(' ')
}

const isAlive = (record: ProcessRecord): boolean => {
  const startTime = readStartTime(record.pid)
  return startTime !== undefined && startTime === record.startTime
}

/** Writes a record of a running process. */
export const writeProcessRecord = (
  file: string,
  pid: number,
  stopSignal: NodeJS.Signals = 'SIGTERM',
): void => {
  const record: ProcessRecord = { pid, startTime: readStartTime(pid) ?? 'exited', stopSignal }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(record))
}

/** Returns the record in the file if its process still runs; otherwise deletes the file. */
export const readProcessRecord = (file: string): ProcessRecord | undefined => {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as ProcessRecord
    if (isAlive(record)) return record
  } catch {
    // The file does not exist, or is incomplete because its writer was killed.
  }
  rmSync(file, { force: true })
  return undefined
}

/** Returns the records in a directory whose processes still run. */
export const readProcessRecords = (directory: string): ProcessRecord[] =>
  existsSync(directory)
    ? readdirSync(directory).flatMap((file) => readProcessRecord(join(directory, file)) ?? [])
    : []

/** Stops the servers that a killed run left behind: gracefully, after 30 s with SIGKILL. */
export const stopOrphanedServers = async (dataDir: string): Promise<void> => {
  await Promise.all([
    ...readProcessRecords(serversDir(dataDir)).map(stopProcess),
    stopContainers(containersDir(dataDir)),
  ])
  rmSync(serversDir(dataDir), { recursive: true, force: true })
  rmSync(containersDir(dataDir), { recursive: true, force: true })
}

const stopProcess = async (record: ProcessRecord): Promise<void> => {
  sendSignal(record, record.stopSignal)
  sendSignal(record, 'SIGCONT')
  if (await waitUntil(() => !isAlive(record), 30)) return
  sendSignal(record, 'SIGKILL')
  await waitUntil(() => !isAlive(record), 10)
}

const stopContainers = async (directory: string): Promise<void> => {
  const names = existsSync(directory) ? readdirSync(directory) : []
  if (names.length === 0) return
  const { isDockerAvailable, stopContainer } = await import('./docker-engine.ts')
  // Without a Docker engine no container runs.
  if (await isDockerAvailable()) await Promise.all(names.map(stopContainer))
}

const sendSignal = (record: ProcessRecord, signal: NodeJS.Signals): void => {
  try {
    if (isAlive(record)) process.kill(record.pid, signal)
  } catch {
    // The process exited between the check and the signal.
  }
}
