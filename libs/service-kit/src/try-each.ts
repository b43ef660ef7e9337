import type { Logger } from './logger.ts'

interface Options<T> {
  /** Aborted when the service stops. */
  stopping?: AbortSignal
  onError?: (error: unknown, item: T) => void
}

/**
 * Does some work for each item, one after another, until the service stops. An item that always fails must not keep the
 * others from theirs. Returns the errors; what fails because the service stops is none.
 */
export const tryEach = async <T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  { stopping, onError }: Options<T> = {},
): Promise<unknown[]> => {
  const isStopping = (): boolean => stopping?.aborted === true
  const errors: unknown[] = []
  for (const item of items) {
    if (isStopping()) break
    try {
      await work(item)
    } catch (error) {
      if (isStopping()) break
      onError?.(error, item)
      errors.push(error)
    }
  }
  return errors
}

/** Throws what `tryEach` has returned, if anything has failed: during an outage, what is thrown says so. */
export const throwIfAny = (errors: readonly unknown[], message: string): void => {
  if (errors.length > 0) throw new AggregateError(errors, message, { cause: errors[0] })
}

/**
 * Runs the parts of a sweep, whether or not others fail, until the service stops, and logs what they return. Throws in the
 * end if some have failed.
 */
export const runParts = async (
  parts: Readonly<Record<string, () => Promise<unknown>>>,
  { stopping, logger }: { stopping?: AbortSignal; logger: Logger },
): Promise<void> => {
  const results: object = {}
  const errors = await tryEach(
    Object.entries(parts),
    async ([, run]) => {
      Object.assign(results, await run())
    },
    {
      ...(stopping && { stopping }),
      onError: (error, [part]) => logger.error({ err: error, part }, 'a part of the sweep failed'),
    },
  )
  if (stopping?.aborted) return
  if (Object.keys(results).length > 0) logger.info(results, 'sweep completed')
  throwIfAny(errors, 'parts of the sweep failed')
}
