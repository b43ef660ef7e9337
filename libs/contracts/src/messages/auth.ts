import { z } from 'zod'
import { recordId } from './fields.ts'

export const userRegisteredV1 = z.object({
  _id: recordId,
  email: z.string(),
  role: z.enum(['user', 'admin']),
})
