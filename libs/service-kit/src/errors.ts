import type { ErrorBody, ErrorCode, FieldError as AnyFieldError } from '@confetti/contracts'

const statuses = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  timeout: 408,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_type: 415,
  range_not_satisfiable: 416,
  too_many_requests: 429,
  internal: 500,
  bad_gateway: 502,
  unavailable: 503,
  gateway_timeout: 504,
} as const satisfies Partial<Record<ErrorCode, number>>

export type ErrorKind = keyof typeof statuses

/** What is wrong with a field. Every one has a code, by which pages translate it. */
export type FieldError = AnyFieldError & { code: ErrorCode }
type Details = FieldError[] | Exclude<NonNullable<ErrorBody['details']>, readonly unknown[]>

interface ErrorOptions {
  /** More specific than the kind, for programs: `email_taken`. */
  code?: ErrorCode
  details?: Details
  retryAfterSeconds?: number
  cause?: unknown
}

/** An error that is sent to the client; `message` is a text for users. */
export class AppError extends Error {
  override name = 'AppError'
  readonly kind: ErrorKind
  readonly code: ErrorCode
  readonly details: Details | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(kind: ErrorKind, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.code = options.code ?? kind
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return statuses[this.kind]
  }
}

const ofKind =
  (kind: ErrorKind) =>
  (message: string, options?: ErrorOptions): AppError =>
    new AppError(kind, message, options)

export const invalid = ofKind('invalid')
export const unauthenticated = ofKind('unauthenticated')
export const forbidden = ofKind('forbidden')
export const notFound = ofKind('not_found')
/** Also where the caller may not know that there is one. */
export const eventNotFound = (): AppError => notFound('Event not found.', { code: 'event_not_found' })
export const timedOut = ofKind('timeout')
export const conflict = ofKind('conflict')
export const gone = ofKind('gone')
export const tooLarge = ofKind('too_large')
export const unsupportedType = ofKind('unsupported_type')

/** 429; the client may retry after `retryAfterSeconds`. */
export const tooManyRequests = (message: string, retryAfterSeconds: number): AppError =>
  new AppError('too_many_requests', message, { retryAfterSeconds })

/** 503: the request is fine, and the client may repeat it after `retryAfterSeconds`. */
export const unavailable = (message: string, retryAfterSeconds = 2, cause?: unknown): AppError =>
  new AppError('unavailable', message, { retryAfterSeconds, cause })
