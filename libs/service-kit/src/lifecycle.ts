import { setTimeout as sleep } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import type { Logger } from './logger.ts'

/**
 * Runs `work` every `intervalMs`, with a jitter of a quarter so that replicas do not run it at the same time. Runs never
 * overlap. An error is logged and does not stop the schedule; after each run `onRun` gets the number of runs that have
 * failed in a row. Returns a function that stops it and resolves when the current run is over.
 */
export const runPeriodically = (
  work: () => Promise<void>,
  {
    name,
    intervalMs,
    logger,
    onRun = () => undefined,
  }: { name: string; intervalMs: number; logger: Logger; onRun?: (failuresInARow: number) => void },
): (() => Promise<void>) => {
  let run = Promise.resolve()
  let failures = 0
  let timer: NodeJS.Timeout
  const schedule = (): void => {
    timer = setTimeout(
      () => {
        run = work()
          .then(
            () => (failures = 0),
            (error: unknown) => {
              failures += 1
              logger.warn({ err: error, task: name }, 'periodic task failed, will run again')
            },
          )
          .then(() => {
            onRun(failures)
            schedule()
          })
      },
      intervalMs * (0.75 + Math.random() / 2),
    )
  }
  schedule()
  return async () => {
    clearTimeout(timer)
    await run
    clearTimeout(timer)
  }
}

/** Returns the current time. Use cases receive it as a dependency, so that tests can choose the time. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

interface Step {
  name: string
  run: () => Promise<unknown>
}

export interface Lifecycle {
  /** Runs first, before anything stops: makes the service unready. */
  onDrain: (run: () => void) => void
  /** Stops accepting work and resolves when the work in progress is done. All stop steps run concurrently. */
  onStop: (name: string, run: () => Promise<unknown>) => void
  /** Closes a connection. Close steps run last, in reverse order of registration, each for at most 5 s. */
  onClose: (name: string, run: () => Promise<unknown>) => void
  /** Runs all steps, once however often it is called, and resolves when they are over. Never rejects. */
  shutDown: (reason: string) => Promise<void>
}

const CLOSE_TIMEOUT_MS = 5_000

const withTimeout = (work: Promise<unknown>, milliseconds: number): Promise<unknown> =>
  pTimeout(work, { milliseconds, fallback: () => undefined })

/**
 * Shuts down in order: becomes unready, waits `delayMs`, stops accepting work, finishes the work in progress for at most
 * `graceMs`, and closes.
 */
export const createLifecycle = ({
  logger,
  delayMs,
  graceMs,
}: {
  logger: Logger
  delayMs: number
  graceMs: number
}): Lifecycle => {
  const drains: (() => void)[] = []
  const stops: Step[] = []
  const closes: Step[] = []
  let shuttingDown: Promise<void> | undefined

  const runStep = async ({ name, run }: Step): Promise<void> => {
    await run().catch((error: unknown) => logger.error({ err: error, step: name }, 'shutdown step failed'))
  }
  const runSteps = async (): Promise<void> => {
    for (const drain of drains) drain()
    await sleep(delayMs)
    await withTimeout(Promise.all(stops.map(runStep)), graceMs)
    for (const step of closes.reverse()) await withTimeout(runStep(step), CLOSE_TIMEOUT_MS)
  }
  const shutDown = (reason: string): Promise<void> => {
    if (!shuttingDown) logger.info({ signal: reason }, 'shutting down')
    shuttingDown ??= runSteps().finally(() => logger.info('stopped'))
    return shuttingDown
  }

  return {
    onDrain: (run) => drains.push(run),
    onStop: (name, run) => stops.push({ name, run }),
    onClose: (name, run) => closes.push({ name, run }),
    shutDown,
  }
}
