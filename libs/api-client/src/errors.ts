import type { ErrorBody } from '@confetti/contracts'

/**
 * A call that did not succeed. `status` is the HTTP status, or 0 where no answer came; `message` is fit to show
 * a person; `retryAfterMs` is how long the server asked to wait.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    status: number,
    { message, code, requestId }: Pick<ErrorBody, 'message' | 'code'> & { requestId?: string | undefined },
    retryAfterMs?: number,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }

  /** Whether the same call may succeed later: no answer came, or the server is busy. */
  get passing(): boolean {
    return this.status === 0 || [408, 429, 502, 503, 504].includes(this.status)
  }
}

export const GENERIC_MESSAGE = 'Something went wrong.'

/** What to tell a person about a failure: the server's message, otherwise the error's own. */
export const messageOf = (error: unknown, fallback: string = GENERIC_MESSAGE): string =>
  error instanceof Error && error.message ? error.message : fallback

export const noAnswer = (): ApiError =>
  new ApiError(0, { code: 'no_answer', message: 'The connection was lost. Please try again.' })

/** Milliseconds that a `Retry-After` header asks for: seconds or a date. */
export const retryAfterMsOf = (header: string | null, now = Date.now()): number | undefined => {
  if (!header) return undefined
  const seconds = Number(header)
  const waitMs = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}

/** The error that an answer with a failing status stands for; a proxy's HTML page becomes a plain sentence. */
export const errorFrom = (status: number, text: string, retryAfter: string | null): ApiError => {
  const waitMs = retryAfterMsOf(retryAfter)
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null
    if (typeof body?.message === 'string')
      return new ApiError(
        status,
        { message: body.message, code: body.code ?? 'unknown', requestId: body.requestId },
        waitMs,
      )
  } catch {
    // Not ours: a proxy or a captive portal answered.
  }
  return new ApiError(status, { message: GENERIC_MESSAGE, code: 'unknown' }, waitMs)
}
