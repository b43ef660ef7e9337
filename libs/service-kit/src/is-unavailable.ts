import { AppError } from './errors.ts'
import { isDatabaseUnavailable } from './mongo.ts'

// Of Node.js's sockets and DNS, of undici (`fetch`), and of Azure's clients when there was no answer.
const networkErrorCodes =
  /^(?:E(?:CONN(?:REFUSED|RESET|ABORTED)|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE|(?:HOST|NET)UNREACH)|UND_ERR_\w+|REQUEST_SEND_ERROR)$/
// A time limit that has passed, a shutdown, and Azure's clients that get no token.
const unavailableErrorNames = /^(?:Abort|Timeout|CredentialUnavailable|AggregateAuthentication)Error$/
// Request timeout, too many requests; and everything from 500.
const isUnavailableStatus = (status: unknown): boolean =>
  typeof status === 'number' && (status === 408 || status === 429 || status >= 500)

/**
 * Whether an operation failed because something that it needs was unavailable: the database, blob storage, the broker or
 * another service. It may succeed later, and the failure says nothing of the operation itself.
 */
export const isUnavailable = (error: unknown): boolean => {
  if (error instanceof AppError) return error.kind === 'unavailable'
  if (typeof error !== 'object' || error === null) return false
  const { name, code, statusCode, cause } = error as Record<string, unknown>
  return (
    isDatabaseUnavailable(error) ||
    unavailableErrorNames.test(String(name)) ||
    networkErrorCodes.test(String(code)) ||
    (name === 'RestError' && isUnavailableStatus(statusCode)) ||
    isUnavailable(cause)
  )
}
