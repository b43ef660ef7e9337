import { z } from 'zod'
import { recordId } from './fields.ts'

export const uploadCompletedV1 = z.object({
  uploadId: recordId,
  eventId: recordId,
  contentType: z.enum([
    'image/jpeg',
    'image/png',
    'image/gif',
    'image/webp',
    'image/heic',
    'video/mp4',
    'video/quicktime',
  ]),
  /** In bytes. */
  size: z.int().positive(),
})

export const uploadDeletedV1 = z.object({ uploadId: recordId, eventId: recordId })

/** Nothing of a deleted event is left in the uploads service and in blob storage. */
export const uploadsErasedV1 = z.object({ eventId: recordId })

/** How much an event with a limit has, counted while guests send. */
export const uploadsCountedV1 = z.object({
  eventId: recordId,
  /** Of all uploads. */
  bytes: z.int().nonnegative(),
})
