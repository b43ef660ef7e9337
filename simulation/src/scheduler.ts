import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import FakeTimers from '@sinonjs/fake-timers'

// All that happens in a simulated evening happens in one order, which a seed decides: each step to a server or back waits for
// its turn, and so does each timer. Between two turns, everything runs until it waits again.

const realSetImmediate = setImmediate
const realAbortAfter = AbortSignal.timeout.bind(AbortSignal)

/** A source of random numbers that always yields the same for a seed (mulberry32). */
export const createRandom = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    /** A whole number from 0, below `limit`. */
    below: (limit: number): number => Math.floor(next() * limit),
    isOnce: (outOf: number): boolean => next() < 1 / outOf,
    pick: <T>(items: readonly [T, ...T[]]): T => items[Math.floor(next() * items.length)] as T,
  }
}
export type Random = ReturnType<typeof createRandom>

/** Something that may die: what it waits for then never comes, and its timers never fire. */
export interface Process {
  name: string
  isAlive: boolean
  /** Whether it waits for turns. The observer does not: to look at what is stored is no step. */
  isObserver?: boolean
}

/** No answer came in time: the process has died, none was there, or too much time has passed. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'
}

interface Waiting {
  process: Process
  label: string
  go: () => void
}

/** Takes all random numbers of the process from `random`. Returns a function that undoes it. */
const replaceRandomness = ({ next, below }: Random): (() => void) => {
  const { randomBytes, randomInt, randomUUID } = crypto
  const realRandom = Math.random
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256)))
  Math.random = next
  Object.assign(crypto, {
    randomBytes: bytes,
    randomInt: (...limits: number[]) => {
      const [from, to] = limits.length > 1 ? limits : [0, ...limits]
      return (from ?? 0) + below((to ?? 0) - (from ?? 0))
    },
    randomUUID: () => {
      const digits = bytes(16).toString('hex')
      return [0, 8, 12, 16, 20]
        .map((start, index) => digits.slice(start, [8, 12, 16, 20, 32][index]))
        .join('-')
    },
  })
  syncBuiltinESMExports()
  return () => {
    Math.random = realRandom
    Object.assign(crypto, { randomBytes, randomInt, randomUUID })
    syncBuiltinESMExports()
  }
}

/** Runs everything on one thread in an order of `random`. Install it before anything that is simulated starts. */
export const createScheduler = (random: Random, startsAt: Date) => {
  const current = new AsyncLocalStorage<Process>()
  const waiting: Waiting[] = []
  const trace: string[] = []

  const clock = FakeTimers.install({
    now: startsAt,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    shouldClearNativeTimers: true,
  })
  /** As the process that has set the timer, unless it has died. */
  const ofProcess = (run: () => void): (() => void) => {
    const process = current.getStore()
    const bound = AsyncLocalStorage.bind(run)
    return () => {
      if (process?.isAlive ?? true) bound()
    }
  }
  const setFakeTimeout = globalThis.setTimeout
  const timeout = ((run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) =>
    setFakeTimeout(
      ofProcess(() => run(...values)),
      ms,
    )) as unknown as typeof setTimeout
  globalThis.setTimeout = timeout
  const setFakeInterval = globalThis.setInterval
  globalThis.setInterval = ((run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) =>
    setFakeInterval(
      ofProcess(() => run(...values)),
      ms,
    )) as unknown as typeof setInterval
  // Not the same numbers as those of the order: what is random in a service must not depend on it.
  const restoreRandomness = replaceRandomness(createRandom(random.below(2 ** 32)))
  const realSleep = timersPromises.setTimeout
  timersPromises.setTimeout = (<T>(ms?: number, value?: T, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise<T | undefined>((resolve, reject) => {
      const abort = (): void => {
        clearTimeout(timer)
        reject(new DOMException('This operation was aborted', 'AbortError'))
      }
      const timer = timeout(() => {
        signal?.removeEventListener('abort', abort)
        resolve(value)
      }, ms)
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    })) as typeof timersPromises.setTimeout
  // Its timers are real: they would keep this evening in memory for minutes. Nothing that is simulated waits for them.
  AbortSignal.timeout = () => new AbortController().signal
  // Work that awaits a real one would go on after a step has found nothing that waits, in an order that no seed decides.
  const realImmediate = timersPromises.setImmediate
  timersPromises.setImmediate = (<T>(value?: T) => Promise.resolve(value)) as typeof realImmediate
  syncBuiltinESMExports()

  /** Runs all that can run without a turn. */
  const settle = (): Promise<void> => new Promise((resolve) => void realSetImmediate(resolve))

  const removeDead = (): void => {
    for (let index = waiting.length - 1; index >= 0; index -= 1)
      if (!waiting[index]?.process.isAlive) waiting.splice(index, 1)
  }

  const note = (line: string): void => {
    trace.push(`${new Date().toISOString().slice(5, 23)} ${line}`)
  }

  return {
    trace,
    note,
    settle,
    /** Runs work as a process, and all that it starts. */
    runAs: <T>(process: Process, work: () => T): T => current.run(process, work),
    currentProcess: () => current.getStore(),

    /** Waits until it is the turn of this step. Never comes back to a process that has died. */
    turn: (label: string): Promise<void> => {
      const process = current.getStore()
      if (!process || process.isObserver) return Promise.resolve()
      if (!process.isAlive) return new Promise(() => {})
      return new Promise((go) => waiting.push({ process, label, go }))
    },

    /** How many steps wait for their turn. */
    countWaiting: (): number => {
      removeDead()
      return waiting.length
    },
    /** Gives one step its turn. */
    giveTurn: async (): Promise<void> => {
      removeDead()
      const [next] = waiting.splice(random.below(waiting.length), 1)
      if (!next) return
      note(`${next.process.name}: ${next.label}`)
      next.go()
      await settle()
    },
    /** Gives all steps that wait their turn, in their order. */
    giveAll: async (): Promise<void> => {
      removeDead()
      for (const { go } of waiting.splice(0)) go()
      await settle()
    },
    /** Moves the clock to the next timer, and runs it. False if there is none. */
    fireTimer: async (): Promise<boolean> => {
      if (clock.countTimers() === 0) return false
      clock.next()
      await settle()
      return true
    },
    /** Moves the clock, and runs each timer that is due, once. */
    jump: async (ms: number): Promise<void> => {
      clock.jump(ms)
      await settle()
    },
    uninstall: (): void => {
      restoreRandomness()
      timersPromises.setTimeout = realSleep
      timersPromises.setImmediate = realImmediate
      syncBuiltinESMExports()
      AbortSignal.timeout = realAbortAfter
      // The models of pooled connections keep the `Date` of the evening in which they were made, and with it its timers.
      clock.reset()
      clock.uninstall()
      waiting.length = 0
    },
  }
}
export type Scheduler = ReturnType<typeof createScheduler>
