import type { Logger } from './logger.ts'

/**
 * Runs `work` every `intervalMs`, give or take a quarter so that replicas do not march in step, never twice at
 * once. A failure is logged, and the next turn comes. Returns how to stop: resolves when the last turn is over.
 */
export const repeat = (
  work: () => Promise<void>,
  intervalMs: number,
  logger: Logger,
): (() => Promise<void>) => {
  let turn = Promise.resolve()
  let timer: NodeJS.Timeout
  const schedule = (): void => {
    timer = setTimeout(
      () => {
        turn = work()
          .catch((error: unknown) => logger.error({ err: error }, 'periodic work failed'))
          .then(schedule)
      },
      intervalMs * (0.75 + Math.random() / 2),
    )
  }
  schedule()
  return async () => {
    clearTimeout(timer)
    await turn
    clearTimeout(timer)
  }
}
