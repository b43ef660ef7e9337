export { browserStorage } from './browser-storage.ts'
export { checkDownload } from './fetch-response.ts'
export { createApiClient, type ApiClient, type CallOptions } from './client.ts'
export {
  ApiError,
  createNetworkError,
  GENERIC_ERROR_MESSAGE,
  getErrorMessage,
  isNotFound,
  parseRetryAfterMs,
} from './errors.ts'
export { eventPasses } from './event-passes.ts'
export {
  clearTokens,
  getAccessToken,
  getGuestToken,
  getRefreshToken,
  saveTokens,
  type Tokens,
} from './token-storage.ts'
export { onLoading } from './loading.ts'
export type { Path, RequestInput, ResponseBody } from './routes.ts'
export { sendBody, sendForm } from './send-form.ts'
export { untilAborted, wait, withTimeout } from './time-limit.ts'
