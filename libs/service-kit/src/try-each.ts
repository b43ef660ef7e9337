interface Options<T> {
  /** Aborted when the service stops. */
  stopping?: AbortSignal
  onError: (error: unknown, item: T) => void
}

/**
 * Does some work for each item, one after another, until the service stops. An item that always fails must not keep the
 * others from theirs. Returns the errors; what fails because the service stops is none.
 */
export const tryEach = async <T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  { stopping, onError }: Options<T>,
): Promise<unknown[]> => {
  const isStopping = (): boolean => stopping?.aborted === true
  const errors: unknown[] = []
  for (const item of items) {
    if (isStopping()) break
    try {
      await work(item)
    } catch (error) {
      if (isStopping()) break
      onError(error, item)
      errors.push(error)
    }
  }
  return errors
}
