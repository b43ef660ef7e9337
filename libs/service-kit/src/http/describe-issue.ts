import type { IssueParams } from '@confetti/contracts'
import type { z } from 'zod'
import type { AppError } from '../errors.ts'

type FieldError = NonNullable<AppError['details']>[number]

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
