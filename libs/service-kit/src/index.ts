export { addressKey, connectRedis, createRateLimiter, type RateLimiter } from './redis.ts'
export * from './changes.ts'
export { callService, httpClientAttributes, requestService } from './call-service.ts'
export {
  changeUntilWritten,
  connectMongo,
  isDuplicateKey,
  openDatabase,
  nextRevision,
  saveCopy,
  upsertWithRetry,
} from './mongo.ts'
export {
  changeMany,
  computeTotals,
  createUniqueIndexWherePresent,
  findIn,
  insertBatches,
  returning,
} from './ferretdb/ferretdb.ts'
export { runPeriodically, systemClock, type Clock, type Lifecycle } from './lifecycle.ts'
export * from './config.ts'
export * from './errors.ts'
export { createHealth } from './health.ts'
export {
  createBaseApp,
  createServiceApp,
  createWorkerApp,
  keepConnectionOpen,
  type BaseAppOptions,
  type ServiceAppOptions,
} from './http/app.ts'
export { loggablePath } from './http/trace-requests.ts'
export { mountRoute, type FindGuestByKey } from './http/mount-route.ts'
export { internalError, isUnavailable, sendError, toAppError } from './http/error-response.ts'
export {
  currentCaller,
  readHeader,
  withCaller,
  type AnyHandler,
  type Conditional,
  type EventAccess,
  type Handlers,
  type RouteCall,
} from './http/route.ts'
export { createLogger, type Logger } from './logger.ts'
export { currentContext, withRequestId, withUploadId } from './request-context.ts'
export type { Metrics } from './metrics.ts'
export { createErasureAges } from './erasure-ages.ts'
export * from './event-copies.ts'
export * from './event-passes.ts'
export { decodeCursor, encodeCursor, findPage, type PageRequest, type Position } from './page.ts'
export { pickDefined } from './pick-defined.ts'
export { createService, runService, type Host, type RunningService, type Service } from './service.ts'
export { createTextSigner, isSameSecret, signingSecrets } from './text-signer.ts'
export * from './token-verifier.ts'
export {
  continueTrace,
  injectTraceContext,
  inSpan,
  recordSpanError,
  startSpan,
  withActiveSpan,
} from './tracing/spans.ts'
export { runParts, throwIfAny, tryEach } from './try-each.ts'
