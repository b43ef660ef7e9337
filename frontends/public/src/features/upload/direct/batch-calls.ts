interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Combines single calls into calls for several items. One call is in flight at a time: items that arrive meanwhile wait
 * for the next one. `callBatch` returns the results in the order of its items. If it rejects, all its items reject.
 */
export const batchCalls = <Item, Result>(
  callBatch: (items: readonly Item[]) => Promise<readonly Result[]>,
  maxItems: number,
): ((item: Item) => Promise<Result>) => {
  let waiting: readonly Waiting<Item, Result>[] = []
  let isActive = false

  const callNext = async (): Promise<void> => {
    const batch = waiting.slice(0, maxItems)
    waiting = waiting.slice(maxItems)
    try {
      const results = await callBatch(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const callAll = async (): Promise<void> => {
    isActive = true
    // Items of the same moment, such as the first three files, go into one call.
    await new Promise((resolve) => setTimeout(resolve))
    while (waiting.length > 0) await callNext()
    isActive = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting = [...waiting, { item, resolve, reject }]
      if (!isActive) void callAll()
    })
}
