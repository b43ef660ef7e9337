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

/** An upload has been processed, or guests see it or do not see it any more. */
export const uploadChangedV1 = z.object({
  uploadId: recordId,
  eventId: recordId,
  status: z.enum(['processing', 'ready', 'failed']),
  visibility: z.enum(['visible', 'pending', 'hidden']),
})

export const uploadDeletedV1 = z.object({ uploadId: recordId, eventId: recordId })

/** Nothing of a deleted event is left in the uploads service and in blob storage. */
export const uploadsErasedV1 = z.object({ eventId: recordId })

/** How much an event with a limit has. Its time is that of the count. */
export const uploadsCountedV1 = z.object({
  eventId: recordId,
  /** All uploads. */
  files: z.int().nonnegative(),
  /** Of all uploads. */
  bytes: z.int().nonnegative(),
})
