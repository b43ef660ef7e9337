import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownersIn, readRecord, readRecords, stopLeftovers, watchdogIn, writeRecord } from './records.ts'
import { until } from './until.ts'

/** A data folder while it belongs to this run. Both calls may be repeated. */
interface Home {
  open: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Makes a data folder belong to one run at a time: open() throws if another run has it, ends what a killed run
 * left in it, and sets a watchdog that ends our servers should we be killed ourselves.
 */
export const makeHome = (folder: string): Home => {
  const dataDir = resolve(folder)
  const claim = join(ownersIn(dataDir), `${process.pid}.json`)
  let watchdog: ChildProcess | undefined
  let isOpen = false

  // Each claimant has a file of its own: of two at once at least one sees the other, and no file
  // of a living run is ever taken for a dead one's.
  const takeHome = () => {
    mkdirSync(ownersIn(dataDir), { recursive: true })
    const before = readRecord(claim)
    if (!before) writeRecord(claim, process.pid)
    const other = before ?? readRecords(ownersIn(dataDir)).find(({ pid }) => pid !== process.pid)
    if (!other) return
    if (!before) rmSync(claim)
    throw new Error(`${dataDir} is in use by another run (process ${other.pid}). End that one first.`)
  }

  const open = async () => {
    if (isOpen) return
    takeHome()
    isOpen = true
    // A second SIGTERM would end Azurite before it has saved: leave a working watchdog to its task.
    await until(() => !readRecord(watchdogIn(dataDir)), 60)
    await stopLeftovers(dataDir)
    watchdog = spawn(process.execPath, [fileURLToPath(new URL('./watchdog.ts', import.meta.url)), dataDir], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    if (watchdog.pid) writeRecord(watchdogIn(dataDir), watchdog.pid)
  }

  const close = async () => {
    if (!isOpen) return
    if (watchdog?.kill()) await once(watchdog, 'exit')
    rmSync(watchdogIn(dataDir), { force: true })
    rmSync(claim, { force: true })
    isOpen = false
  }

  return { open, close }
}
