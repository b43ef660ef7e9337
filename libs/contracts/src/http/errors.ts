import { z } from 'zod'
import { uploadId } from '../ids.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../limits.ts'

const badLimit = `The limit is a number from 1 to ${MAX_PAGE_SIZE}.`
const badCursor = 'The cursor is not one of ours.'

const limit = z.coerce.number({ error: badLimit }).int(badLimit).min(1, badLimit).max(MAX_PAGE_SIZE, badLimit)
const after = z.string({ error: badCursor }).max(200, badCursor).optional()

/** The query of a list that is paged on request; without `limit` the answer has all of it. */
export const optionalPage = z.object({ limit: limit.optional(), after })

/** The query of a list that is always paged. */
export const page = z.object({ limit: limit.default(DEFAULT_PAGE_SIZE), after })

/** The query of a list that says what has changed since an answer with this `version`. */
export const since = z
  .string()
  .regex(/^[\w.-]{0,40}$/, 'The version is not one of ours.')
  .optional()

/** What each answer of such a list has beside its uploads. */
export const feedFields = {
  version: z.string().optional().meta({ description: 'Ask with it as `since` for what changes later.' }),
  removed: z.array(uploadId).optional().meta({
    description:
      'With `since`: the ids of uploads that are not shown any more. `uploads` has those that are new or changed, some of them again',
  }),
  reset: z.literal(true).optional().meta({
    description:
      'The version is unknown or too old: this is the first page, and nothing else that is known counts',
  }),
}

/** What is wrong with a field. */
const fieldError = z.object({
  field: z.string(),
  message: z.string(),
  code: z.string().optional().meta({ description: 'Stable, such as `required`, `too_long` or `malformed`.' }),
  limit: z
    .number()
    .optional()
    .meta({ description: 'The largest or smallest value, length or number that the message names.' }),
})

export type FieldError = z.infer<typeof fieldError>

/** The body of every error response. `message` is a text for users. */
export const errorBody = z
  .object({
    message: z.string(),
    code: z.string(),
    requestId: z.string(),
    details: z
      .union([z.array(fieldError), z.object({ name: z.string(), language: z.string().optional() })])
      .optional()
      .meta({
        description: 'The fields that are wrong, or with `pin_required` what the page says of the event.',
      }),
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.infer<typeof errorBody>

export const messageResponse = z.object({ message: z.string() })
