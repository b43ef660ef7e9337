import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { until } from './until.ts'

/** A process as noted on disk; its birth tells it from a later process with the same id. */
interface ProcessRecord {
  pid: number
  birth: string
  stopSignal: NodeJS.Signals
}

export const ownersIn = (dataDir: string): string => join(dataDir, 'run', 'owners')
export const serversIn = (dataDir: string): string => join(dataDir, 'run', 'servers')
/** Holds an empty file for each container that may be there, of the container's name. */
export const containersIn = (dataDir: string): string => join(dataDir, 'run', 'containers')
export const watchdogIn = (dataDir: string): string => join(dataDir, 'run', 'watchdog.json')

const onLinux = existsSync('/proc/self/stat')

// When it began, in the system's words; undefined where there is none. One that ended unnoticed counts as none.
const birthOf = (pid: number): string | undefined => {
  try {
    if (!onLinux) return birthByPs(pid)
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name and may hold anything; counting starts behind it.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : rest[18]
  } catch {
    return undefined
  }
}

const birthByPs = (pid: number): string | undefined => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
  })
  const [state, ...began] = stdout.trim().split(/\s+/)
  return !state || state.startsWith('Z') ? undefined : began.join(' ')
}

const isAlive = ({ pid, birth }: ProcessRecord): boolean => birthOf(pid) === birth

/** Notes a running process in the file. */
export const writeRecord = (file: string, pid: number, stopSignal: NodeJS.Signals = 'SIGTERM'): void => {
  const record: ProcessRecord = { pid, birth: birthOf(pid) ?? 'gone', stopSignal }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(record))
}

/** The process noted in the file, if it still runs; otherwise the file is taken away. */
export const readRecord = (file: string): ProcessRecord | undefined => {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as ProcessRecord
    if (isAlive(record)) return record
  } catch {
    // Never written, or cut short by the death of its writer: either way it says nothing.
  }
  rmSync(file, { force: true })
  return undefined
}

/** The processes noted in a folder that still run. */
export const readRecords = (folder: string): ProcessRecord[] =>
  existsSync(folder) ? readdirSync(folder).flatMap((file) => readRecord(join(folder, file)) ?? []) : []

/** Ends the servers that a dead run left behind: gracefully, after 30 s by force. */
export const stopLeftovers = async (dataDir: string): Promise<void> => {
  await Promise.all([
    ...readRecords(serversIn(dataDir)).map(endProcess),
    endContainers(containersIn(dataDir)),
  ])
  rmSync(serversIn(dataDir), { recursive: true, force: true })
  rmSync(containersIn(dataDir), { recursive: true, force: true })
}

const endProcess = async (record: ProcessRecord): Promise<void> => {
  send(record, record.stopSignal)
  send(record, 'SIGCONT')
  if (await until(() => !isAlive(record), 30)) return
  send(record, 'SIGKILL')
  await until(() => !isAlive(record), 10)
}

const endContainers = async (folder: string): Promise<void> => {
  const names = existsSync(folder) ? readdirSync(folder) : []
  if (names.length === 0) return
  const { dockerAnswers, endContainer } = await import('./docker-engine.ts')
  // Without an engine there are no containers either.
  if (await dockerAnswers()) await Promise.all(names.map(endContainer))
}

const send = (record: ProcessRecord, signal: NodeJS.Signals): void => {
  try {
    if (isAlive(record)) process.kill(record.pid, signal)
  } catch {
    // It ended in between.
  }
}
