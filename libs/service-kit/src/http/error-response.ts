import type { ServerResponse } from 'node:http'
import type { ErrorBody, IssueParams } from '@confetti/contracts'
import type { z } from 'zod'
import { AppError, invalid, tooLarge, unavailable, unsupportedType, type FieldError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { isDatabaseUnavailable } from '../mongo.ts'

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

interface BodyParserError {
  type: string
}
const isBodyParserError = (error: unknown): error is BodyParserError =>
  typeof error === 'object' && error !== null && 'type' in error && typeof error.type === 'string'

/** An error of ours that says nothing to people. */
export const internalError = (cause?: unknown): AppError =>
  new AppError('internal', 'Something went wrong.', { cause })

/** Converts anything thrown into the error that is sent to the client. Unexpected errors become `internal`. */
export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  if (isBodyParserError(error)) {
    if (error.type === 'entity.too.large') return tooLarge('The request is too large.')
    if (error.type === 'charset.unsupported')
      return unsupportedType('The request is written in an encoding that is not supported.')
    if (error.type === 'entity.parse.failed') return invalid('The request is not valid JSON.')
    if (error.type.startsWith('request.') || error.type.startsWith('entity.'))
      return invalid('The request could not be read.')
  }
  if (error instanceof URIError) return invalid('The address could not be read.')
  if (isDatabaseUnavailable(error))
    return unavailable('The service is busy. Please try again in a moment.', 2, error)
  return internalError(error)
}

/** Whether the input has nothing at this path. Zod's issues do not have the input. */
const isMissing = (path: readonly PropertyKey[], input: unknown): boolean => {
  let value = input
  for (const key of path) value = (value as Partial<Record<PropertyKey, unknown>> | null | undefined)?.[key]
  return value === undefined || value === null
}

const limitOf = (limit: number | bigint, isInclusive: boolean | undefined, step: 1 | -1): number =>
  Number(limit) + (isInclusive === false ? step : 0)

const codeOf = (issue: z.core.$ZodIssue, input: unknown): Pick<FieldError, 'code' | 'limit'> => {
  switch (issue.code) {
    case 'custom':
      // Contracts declare the code beside the message.
      return issue.params ? (issue.params as unknown as IssueParams) : { code: 'malformed' }
    case 'too_big': {
      const limit = limitOf(issue.maximum, issue.inclusive, -1)
      return { code: issue.origin === 'string' ? 'too_long' : 'too_big', limit }
    }
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return { code: 'required' }
      return { code: 'too_small', limit: limitOf(issue.minimum, issue.inclusive, 1) }
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_type':
    case 'invalid_union':
    case 'invalid_value':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return { code: isMissing(issue.path, input) ? 'required' : 'malformed' }
  }
}

/** What an error response says about an issue that zod has found in `input`. */
export const describeIssue = (issue: z.core.$ZodIssue, input: unknown): FieldError => ({
  field: issue.path.join('.'),
  message: issue.message,
  ...codeOf(issue, input),
})

/** Sends an error as JSON, or destroys the response if its headers have been sent. Logs errors of the server. */
export const sendError = (
  response: ServerResponse,
  thrown: unknown,
  { requestId, logger }: { requestId: string; logger: Logger },
): void => {
  const error = toAppError(thrown)
  // An unavailable dependency is not a bug.
  const level = error.kind === 'unavailable' ? 'warn' : 'error'
  if (error.status >= 500) logger[level]({ err: error.cause ?? error }, error.message)
  if (response.headersSent) {
    response.destroy()
    return
  }
  const body: ErrorBody = {
    message: error.message,
    code: error.code,
    requestId,
    ...(error.details && { details: error.details }),
  }
  if (error.retryAfterSeconds !== undefined)
    response.setHeader('Retry-After', Math.ceil(error.retryAfterSeconds))
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Cache-Control', 'no-store')
  const text = JSON.stringify(body)
  // Node adds it only where no middleware writes the headers before the body, as that for compression does.
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.statusCode = error.status
  response.end(text)
}
