import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from './logger.ts'

interface Step {
  name: string
  run: () => Promise<unknown>
}

export interface Lifecycle {
  /** Before anything stops: tells load balancers to look elsewhere. */
  onDrain: (run: () => void) => void
  /** Takes no new work, and resolves when the work in flight is done. All of these run at once. */
  onStop: (name: string, run: () => Promise<unknown>) => void
  /** Lets go of a connection; the last one opened closes first. */
  onClose: (name: string, run: () => Promise<unknown>) => void
}

/**
 * Ordered shutdown at SIGTERM or SIGINT: unready, wait `delayMs`, refuse new work, finish what is in flight for
 * at most `graceMs`, close. Told again, it goes on as it was. An error that nobody caught ends the process with status 1.
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
  let stopping = false

  const runStep = async ({ name, run }: Step): Promise<void> => {
    await run().catch((error: unknown) => logger.error({ err: error, step: name }, 'shutdown step failed'))
  }
  const inOrder = async (): Promise<void> => {
    for (const drain of drains) drain()
    await sleep(delayMs)
    await Promise.race([Promise.all(stops.map(runStep)), sleep(graceMs)])
    for (const step of closes.reverse()) await Promise.race([runStep(step), sleep(5_000)])
  }
  const shutDown = (signal: string): void => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'shutting down')
    void inOrder().finally(() => {
      logger.info('stopped')
      process.exit(0)
    })
  }
  process.on('SIGTERM', shutDown)
  process.on('SIGINT', shutDown)
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(fault, (error: unknown) => {
      logger.fatal({ err: error }, fault)
      process.exit(1)
    })

  return {
    onDrain: (run) => drains.push(run),
    onStop: (name, run) => stops.push({ name, run }),
    onClose: (name, run) => closes.push({ name, run }),
  }
}
