import type { ErrorCode } from './error-codes.ts'

export interface IssueParams {
  code: ErrorCode
  limit?: number
}

/** The `params` of a zod `refine`: what the error response says about the field besides the message. */
export const issueParams = (code: ErrorCode, limit?: number): IssueParams & Record<string, unknown> => ({
  code,
  ...(limit !== undefined && { limit }),
})
