import { z } from 'zod'

/** The body of every error response. `message` is a text for users. */
export const errorBody = z
  .object({
    message: z.string(),
    code: z.string(),
    requestId: z.string(),
    details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.infer<typeof errorBody>

export const messageResponse = z.object({ message: z.string() })
