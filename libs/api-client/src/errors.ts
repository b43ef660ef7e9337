import type { ErrorBody, FieldError } from '@confetti/contracts'

type ErrorDetails = NonNullable<ErrorBody['details']>

/**
 * A failed API call. `status` is the HTTP status, or 0 if the server did not respond. `message` can be shown to the
 * user. `fieldErrors` has the first message about each field that the server rejected, `details` has its code as well.
 * `retryAfterMs` is the wait that the server asked for, if it did, and `event` what it says of an event that has a PIN.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly fieldErrors: Readonly<Record<string, string>>
  /** A remote runs with the shell's copy of this class, which may be older and lack it. */
  readonly details?: FieldError[]
  readonly event: Exclude<ErrorDetails, readonly unknown[]> | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    status: number,
    { message, code, requestId, details = [] }: Pick<ErrorBody, 'message' | 'code'> & Partial<ErrorBody>,
    retryAfterMs?: number,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    // With `pin_required` they are about the event.
    const fields = Array.isArray(details) ? details : []
    this.event = Array.isArray(details) ? undefined : details
    this.details = fields
    this.fieldErrors = Object.fromEntries(
      [...fields].reverse().map(({ field, message: fieldMessage }) => [field, fieldMessage]),
    )
    this.retryAfterMs = retryAfterMs
  }

  /** Whether the same call may succeed later: the server did not respond, or is busy. */
  get isRetryable(): boolean {
    return this.status === 0 || [408, 429, 502, 503, 504].includes(this.status)
  }
}

/** Whether what a call was about does not exist, or no longer. An event whose PIN the guest has not entered does. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 404 && error.code !== 'pin_required'

export const GENERIC_ERROR_MESSAGE = 'Something went wrong.'

/** Returns the message of an error to show to the user, or `fallback` if it has none. */
export const getErrorMessage = (error: unknown, fallback: string = GENERIC_ERROR_MESSAGE): string =>
  error instanceof Error && error.message ? error.message : fallback

/** Creates the error for a call without a valid response: the connection was lost, or a captive portal answered. */
export const createNetworkError = (): ApiError =>
  new ApiError(0, { code: 'network_error', message: 'The connection was lost. Please try again.' })

/** Parses a `Retry-After` header, which is a number of seconds or a date. Returns milliseconds from `now`. */
export const parseRetryAfterMs = (header: string | null, now = Date.now()): number | undefined => {
  if (!header) return undefined
  const seconds = Number(header)
  const waitMs = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}

/** Converts a response with an error status. If the body is not the API's JSON, the message is a generic one. */
export const toApiError = (status: number, body: string, retryAfter: string | null): ApiError => {
  const retryAfterMs = parseRetryAfterMs(retryAfter)
  try {
    const parsed = JSON.parse(body) as Partial<ErrorBody> | null
    if (typeof parsed?.message === 'string')
      return new ApiError(status, { code: 'unknown', ...parsed, message: parsed.message }, retryAfterMs)
  } catch {
    // Not the API's JSON: the response comes from a proxy or a captive portal.
  }
  return new ApiError(status, { message: GENERIC_ERROR_MESSAGE, code: 'unknown' }, retryAfterMs)
}
