/**
 * Maps items with at most `limit` calls of `work` at a time. Resolves with the results in the order of the
 * items.
 */
export const mapConcurrently = async <T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  const remaining = items.entries()
  const worker = async (): Promise<void> => {
    // All workers share one iterator, so each item is processed once.
    for (const [index, item] of remaining) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}
