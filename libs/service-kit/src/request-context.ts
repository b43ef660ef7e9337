import { AsyncLocalStorage } from 'node:async_hooks'

/** The ids that correlate log lines, messages and spans across services. */
interface RequestContext {
  requestId?: string
  uploadId?: string
}

const storage = new AsyncLocalStorage<RequestContext>()

/** The ids of the current context. */
export const currentContext = (): RequestContext => storage.getStore() ?? {}

/** Runs `work` with a request id, which its log lines, messages and spans carry. */
export const withRequestId = <T>(requestId: string, work: () => T): T => storage.run({ requestId }, work)

/** Runs `work` with an upload id in addition to the current request id. */
export const withUploadId = <T>(uploadId: string, work: () => T): T =>
  storage.run({ ...currentContext(), uploadId }, work)
