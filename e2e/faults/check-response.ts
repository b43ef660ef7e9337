import { errorBody } from '@confetti/contracts'
import type { CallResult } from './call-result.ts'
import type { Violation } from './invariant-violations.ts'

/** A whole response, as a guest received it. */
export interface GuestResponse {
  status: number
  retryAfter: string | undefined
  text: string
}

const retryableStatuses = [408, 429, 502, 503, 504]

/** Whether a guest's page makes the call again. */
export const isRetryable = (result: CallResult): boolean =>
  result.connectionLost || retryableStatuses.includes(result.status)

/** Parses JSON; undefined if it is invalid. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The result of a call that failed. Reports a violation if the response is not an error as the contract has it. */
export const checkErrorResponse = (
  { status, retryAfter, text }: GuestResponse,
  { what, ms, onViolation }: { what: string; ms: number; onViolation: (violation: Violation) => void },
): CallResult => {
  const reportInvalid = (problem: string): void =>
    onViolation({ kind: 'response', what: `${status} for ${what} ${problem}: ${text.slice(0, 300)}` })
  const body = errorBody.safeParse(parseJson(text))
  if (!body.success) reportInvalid('does not have the error body of the contract')
  if (status < 400) reportInvalid('is neither a success nor an error')
  if (status >= 500 && !retryableStatuses.includes(status)) reportInvalid('is not retryable')
  if (status === 503 && retryAfter === undefined) reportInvalid('has no Retry-After')
  const { code, message } = body.success ? body.data : { code: 'unknown', message: '' }
  return {
    connectionLost: false,
    ms,
    status,
    code,
    message,
    ...(retryAfter && { retryAfter: Number(retryAfter) }),
  }
}
