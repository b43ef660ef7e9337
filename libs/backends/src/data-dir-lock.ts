import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  ownersDir,
  readProcessRecord,
  readProcessRecords,
  stopOrphanedServers,
  watchdogFile,
  writeProcessRecord,
} from './process-records.ts'
import { waitUntil } from './wait-until.ts'

/** Gives one run exclusive use of a data directory. Both functions are idempotent. */
interface DataDirLock {
  acquire: () => Promise<void>
  release: () => Promise<void>
}

/**
 * Creates a lock for a data directory. acquire() throws if another run uses the directory, stops the servers
 * that a killed run left in it, and starts a watchdog that stops this run's servers if this run is killed.
 */
export const createDataDirLock = (directory: string): DataDirLock => {
  const dataDir = resolve(directory)
  const ownerFile = join(ownersDir(dataDir), `${process.pid}.json`)
  let watchdog: ChildProcess | undefined
  let isAcquired = false

  // Each run writes an owner file of its own before it looks for others: of two concurrent runs at least one
  // sees the other, and no run deletes the file of another that is still alive.
  const claimOwnership = () => {
    mkdirSync(ownersDir(dataDir), { recursive: true })
    const existing = readProcessRecord(ownerFile)
    if (!existing) writeProcessRecord(ownerFile, process.pid)
    const other = existing ?? readProcessRecords(ownersDir(dataDir)).find(({ pid }) => pid !== process.pid)
    if (!other) return
    if (!existing) rmSync(ownerFile)
    throw new Error(`${dataDir} is in use by another run (process ${other.pid}). Stop that run first.`)
  }

  const acquire = async () => {
    if (isAcquired) return
    claimOwnership()
    isAcquired = true
    // Wait for the previous run's watchdog: a second SIGTERM would end Azurite before it has saved.
    await waitUntil(() => !readProcessRecord(watchdogFile(dataDir)), 60)
    await stopOrphanedServers(dataDir)
    watchdog = spawn(process.execPath, [fileURLToPath(new URL('./watchdog.ts', import.meta.url)), dataDir], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    if (watchdog.pid) writeProcessRecord(watchdogFile(dataDir), watchdog.pid)
  }

  const release = async () => {
    if (!isAcquired) return
    if (watchdog?.kill()) await once(watchdog, 'exit')
    rmSync(watchdogFile(dataDir), { force: true })
    rmSync(ownerFile, { force: true })
    isAcquired = false
  }

  return { acquire, release }
}
