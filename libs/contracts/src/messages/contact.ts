import { z } from 'zod'
import { recordId } from './fields.ts'

export const contactReceivedV1 = z.object({
  _id: recordId,
  subject: z.string(),
  message: z.string(),
  createdAt: z.iso.datetime(),
  userEmail: z.string(),
})
