import { z } from 'zod'
import { recordId } from './fields.ts'

export const eventCreatedV1 = z.object({
  _id: recordId,
  /** The account id of its organiser. */
  eventFor: recordId,
  uploadsCloseAt: z.iso.datetime(),
})
