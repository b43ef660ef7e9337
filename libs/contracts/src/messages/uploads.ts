import { z } from 'zod'
import { copyMetadata, recordId } from './fields.ts'

/**
 * An upload was stored. Published again while its derivatives are missing after `PROCESSING_TIMEOUT_MS`, and when a queue of
 * such messages was lost.
 */
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
  /** Asks for a copy that guests can save, of photos of events that allow it. */
  copy: copyMetadata.optional(),
  /** The guest who has sent it. Absent: it was sent without a token, or its processing is requested again. */
  guestId: z.string().optional(),
})

/**
 * The status of an upload or its visibility has changed, one that is ready has got a rendition, or the guest who owns it has
 * taken it back or restored it.
 */
export const uploadChangedV1 = z.object({
  uploadId: recordId,
  eventId: recordId,
  status: z.enum(['processing', 'ready', 'failed']),
  visibility: z.enum(['visible', 'pending', 'hidden']),
  /** Whether it is hidden from everybody, as its guest has taken it back, who can restore it. Absent: no. */
  isTakenBack: z.boolean().optional(),
})

/**
 * An upload was deleted for good: by a member, with its event, as a duplicate of another, or 30 seconds after the last of the
 * guests who own it has taken it back.
 */
export const uploadDeletedV1 = z.object({ uploadId: recordId, eventId: recordId })

/**
 * Nothing of a deleted event is left in the uploads service and in blob storage: what `event.erased` says of uploads, for
 * earlier versions of events.
 */
export const uploadsErasedV1 = z.object({ eventId: recordId })

/**
 * How much an event with a limit has, while guests send and when it is full. Its time is that of the count. It has no outbox:
 * if it is lost, the next count is published.
 */
export const uploadsCountedV1 = z.object({
  eventId: recordId,
  /** All uploads. */
  files: z.int().nonnegative(),
  /** Of all uploads. */
  bytes: z.int().nonnegative(),
})
