import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<{ requestId: string }>()

/** Runs `work` so that everything it logs, stores and publishes carries the request id. */
export const withRequestId = <T>(requestId: string, work: () => T): T => storage.run({ requestId }, work)

/** The id of the request that is being worked on, if any. */
export const currentRequestId = (): string | undefined => storage.getStore()?.requestId
