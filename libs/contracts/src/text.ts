import { z } from 'zod'
import { issueParams } from './route-contract.ts'
import { countCodePoints, normaliseText } from './text-limits.ts'

/** Text of at most `max` code points after `normaliseText`; otherwise the message is `tooLong`. */
export const text = (max: number, tooLong: string) =>
  z
    .string({ error: 'A text was expected.' })
    .overwrite(normaliseText)
    .refine((value) => countCodePoints(value) <= max, {
      error: tooLong,
      params: issueParams('too_long', max),
    })
    .meta({ maxLength: max })

/** Like `text`, and required: the message for missing or blank text is `missing`. */
export const requiredText = (max: number, missing: string, tooLong: string) =>
  z
    .string({ error: missing })
    .overwrite(normaliseText)
    .min(1, { error: missing, abort: true })
    .refine((value) => countCodePoints(value) <= max, {
      error: tooLong,
      params: issueParams('too_long', max),
    })
    .meta({ maxLength: max })
