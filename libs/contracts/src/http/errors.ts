import { z } from 'zod'

/** What is wrong with a field. Services before 0.2 send neither `code` nor `limit`. */
const fieldError = z.object({
  field: z.string(),
  message: z.string(),
  code: z.string().optional().meta({ description: 'Stable, such as `required`, `too_long` or `malformed`.' }),
  limit: z
    .number()
    .optional()
    .meta({ description: 'The largest or smallest value, length or number that the message names.' }),
})

/** The body of every error response. `message` is a text for users. */
export const errorBody = z
  .object({
    message: z.string(),
    code: z.string(),
    requestId: z.string(),
    details: z.array(fieldError).optional(),
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.infer<typeof errorBody>

export const messageResponse = z.object({ message: z.string() })
