import type { Logger } from './logger.ts'

/**
 * Runs `work` every `intervalMs`, with a jitter of a quarter so that replicas do not run it at the same time. Runs never
 * overlap. An error is logged and does not stop the schedule. Returns a function that stops it and resolves when the
 * current run is over.
 */
export const runPeriodically = (
  work: () => Promise<void>,
  { name, intervalMs, logger }: { name: string; intervalMs: number; logger: Logger },
): (() => Promise<void>) => {
  let run = Promise.resolve()
  let timer: NodeJS.Timeout
  const schedule = (): void => {
    timer = setTimeout(
      () => {
        run = work()
          .catch((error: unknown) =>
            logger.warn({ err: error, task: name }, 'periodic task failed, will run again'),
          )
          .then(schedule)
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
