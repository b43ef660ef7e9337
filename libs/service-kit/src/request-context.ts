import { AsyncLocalStorage } from 'node:async_hooks'

/** What joins the log lines, facts and spans of one piece of work across services. */
interface RequestContext {
  requestId?: string
  uploadId?: string
}

const storage = new AsyncLocalStorage<RequestContext>()

/** What is being worked on, as far as it is known. */
export const currentContext = (): RequestContext => storage.getStore() ?? {}

/** Runs `work` so that everything it logs, stores and publishes carries the request id. */
export const withRequestId = <T>(requestId: string, work: () => T): T => storage.run({ requestId }, work)

/** Runs `work` on one file so that what it logs carries the upload's id, beside the request's. */
export const withUploadId = <T>(uploadId: string, work: () => T): T =>
  storage.run({ ...currentContext(), uploadId }, work)
