import { setTimeout as sleep } from 'node:timers/promises'
import { createBackoff } from '../../frontends/public/src/features/upload/backoff.ts'
import type { ConnectionOptions } from './connection.ts'
import type { FileFactory, GuestFile } from './guest-files.ts'
import { measureProcesses, type Usage } from './processes.ts'
import { UploadError, type Guest, type Target } from './targets/target.ts'

/** How many simulated guests send which files. */
export interface Workload {
  guests: number
  filesPerGuest: number
  /** Time from the arrival of the first guest to that of the last. */
  rampMs: number
  connectionOptions?: (guestNumber: number) => ConnectionOptions
  createFiles: FileFactory
}

/** What was measured while a target served a workload. */
export interface RunResult {
  /** The number of acknowledged files. */
  files: number
  bytes: number
  /** From the first byte to the last acknowledgement. */
  seconds: number
  /** Of each file, from its first attempt to its acknowledgement. */
  acknowledgedMs: number[]
  /** The number of attempts that failed, by status; 0 if the connection broke. */
  rejections: Record<string, number>
  /** The number of files that were not acknowledged after all attempts. */
  failed: number
  usage: Record<string, Usage>
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)
const MAX_ATTEMPTS = 100

/** Sends files at the pace of the guest's page, with its backoff after failures. Returns how many files failed. */
const sendFiles = async (
  guest: Guest,
  files: readonly GuestFile[],
  {
    onAcknowledged,
    onRejected,
  }: {
    onAcknowledged: (file: GuestFile, ms: number) => void
    onRejected: (error: UploadError) => void
  },
): Promise<number> => {
  let resumes: (() => void)[] = []
  const onResume = (): void => {
    for (const resume of resumes) resume()
    resumes = []
  }
  const backoff = createBackoff({ wait, now: Date.now, random: Math.random, onResume })
  const waitWhilePaused = async (): Promise<void> => {
    while (backoff.getConcurrencyLimit() === 0) await new Promise<void>((resolve) => resumes.push(resolve))
  }
  const sendWithRetries = async (file: GuestFile): Promise<boolean> => {
    const startedAt = performance.now()
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      await waitWhilePaused()
      try {
        await guest.send(file)
        backoff.recordResponse()
        // It may have ended a pause.
        onResume()
        onAcknowledged(file, performance.now() - startedAt)
        return true
      } catch (error) {
        if (!(error instanceof UploadError)) throw error
        onRejected(error)
        backoff.recordFailure(error)
      }
    }
    return false
  }
  let failed = 0
  const remaining = files.values()
  await Promise.all(
    Array.from({ length: guest.filesAtOnce ?? 1 }, async () => {
      for (const file of remaining) if (!(await sendWithRetries(file))) failed += 1
    }),
  )
  return failed
}

/** Runs a workload against a target: guests arrive one after the other over the ramp, and send all their files. */
export const runWorkload = async (target: Target, workload: Workload): Promise<RunResult> => {
  const { guests, filesPerGuest, rampMs, connectionOptions, createFiles } = workload
  await target.prepare()
  const files = createFiles(guests * filesPerGuest)
  const acknowledgedMs: number[] = []
  let bytes = 0
  const rejections: Record<string, number> = {}
  const readUsage = measureProcesses({ ...target.processes, 'load generator': [process.pid] })
  const startedAt = performance.now()
  const failures = await Promise.all(
    Array.from({ length: guests }, async (_, number) => {
      await sleep((rampMs * number) / guests)
      const guest = target.newGuest(number, connectionOptions?.(number) ?? {})
      const guestFiles = files.slice(number * filesPerGuest, (number + 1) * filesPerGuest)
      try {
        return await sendFiles(guest, guestFiles, {
          onAcknowledged: ({ size }, ms) => {
            acknowledgedMs.push(ms)
            bytes += size
          },
          onRejected: ({ status }) => (rejections[status] = (rejections[status] ?? 0) + 1),
        })
      } finally {
        guest.close()
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  const usage = readUsage()
  await target.clear()
  return {
    files: acknowledgedMs.length,
    bytes,
    seconds,
    acknowledgedMs,
    rejections,
    failed: failures.reduce((sum, each) => sum + each, 0),
    usage,
  }
}
