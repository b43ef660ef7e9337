import { setTimeout as sleep } from 'node:timers/promises'
import { makePace } from '../../frontends/public/src/features/upload/pace.ts'
import type { Contender, Guest } from './contenders/contender.ts'
import { Refusal } from './contenders/contender.ts'
import type { Line } from './connection.ts'
import type { GuestFile } from './guest-files.ts'
import { watchProcesses, type Usage } from './processes.ts'

export interface Crowd {
  guests: number
  filesEach: number
  /** From the first guest's arrival to the last one's. */
  rampMs: number
  lineOf?: (guest: number) => Line
  files: (count: number) => GuestFile[]
}

/** What one crowd met with at one contender. */
export interface Pass {
  /** Those that were acknowledged. */
  files: number
  bytes: number
  /** From the first byte to the last acknowledgement. */
  seconds: number
  /** Of each file, from its first try to its acknowledgement. */
  acknowledgedMs: number[]
  /** How often a file was refused and sent again, by status; 0 where the connection broke. */
  refusals: Record<string, number>
  /** Files that were given up. */
  failed: number
  used: Record<string, Usage>
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)
const MAX_TRIES = 100

/** Sends files as the guest's page paces them: what may pass is tried again, later each time. */
const sendAll = async (
  guest: Guest,
  files: readonly GuestFile[],
  {
    onKept,
    onRefused,
  }: { onKept: (file: GuestFile, ms: number) => void; onRefused: (refusal: Refusal) => void },
): Promise<number> => {
  let goOn: () => void = () => undefined
  const pace = makePace({ wait, now: Date.now, random: Math.random, goOn: () => goOn() })
  const mayGo = async (): Promise<void> => {
    if (pace.atOnce() === 0) await new Promise<void>((resolve) => (goOn = resolve))
  }
  const keep = async (file: GuestFile): Promise<boolean> => {
    const began = performance.now()
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      await mayGo()
      try {
        await guest.send(file)
        pace.answered()
        onKept(file, performance.now() - began)
        return true
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        onRefused(error)
        pace.failed(error)
      }
    }
    return false
  }
  let failed = 0
  for (const file of files) if (!(await keep(file))) failed += 1
  return failed
}

/** Lets a crowd arrive, one guest after the other over the ramp, and send all of its files. */
export const runCrowd = async (contender: Contender, crowd: Crowd): Promise<Pass> => {
  await contender.prepare()
  const files = crowd.files(crowd.guests * crowd.filesEach)
  const acknowledgedMs: number[] = []
  let bytes = 0
  const refusals: Record<string, number> = {}
  const stopWatch = watchProcesses({ ...contender.watched, 'the guests': [process.pid] })
  const began = performance.now()
  const failures = await Promise.all(
    Array.from({ length: crowd.guests }, async (_, number) => {
      await sleep((crowd.rampMs * number) / crowd.guests)
      const guest = contender.newGuest(number, crowd.lineOf?.(number) ?? {})
      const mine = files.slice(number * crowd.filesEach, (number + 1) * crowd.filesEach)
      try {
        return await sendAll(guest, mine, {
          onKept: ({ size }, ms) => {
            acknowledgedMs.push(ms)
            bytes += size
          },
          onRefused: ({ status }) => (refusals[status] = (refusals[status] ?? 0) + 1),
        })
      } finally {
        guest.close()
      }
    }),
  )
  const seconds = (performance.now() - began) / 1_000
  const used = stopWatch()
  await contender.clear()
  return {
    files: acknowledgedMs.length,
    bytes,
    seconds,
    acknowledgedMs,
    refusals,
    failed: failures.reduce((sum, each) => sum + each, 0),
    used,
  }
}
