/** How often something that is overdue is requested again. */
export const MAX_REQUESTS = 6
const BATCH_SIZE = 500

/** Returns when request number `requests + 1` is due: the delay doubles each time. */
export const nextDueAt = (now: Date, timeoutMs: number, requests: number): Date =>
  new Date(now.getTime() + timeoutMs * 2 ** requests)

/** Calls `handle` for all that `list` returns, in batches. Afterwards, what was handled must no longer be overdue. */
export const forEachOverdue = async <T>(
  list: (limit: number) => Promise<T[]>,
  handle: (overdue: T) => Promise<void>,
): Promise<void> => {
  for (;;) {
    const batch = await list(BATCH_SIZE)
    for (const overdue of batch) await handle(overdue)
    if (batch.length < BATCH_SIZE) return
  }
}
