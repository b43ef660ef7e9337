/** Does `work` for each item, at most `limit` at a time, and gives the results in the items' order. */
export const inParallel = async <T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  const waiting = items.entries()
  const worker = async (): Promise<void> => {
    // All workers take from the one iterator.
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}
