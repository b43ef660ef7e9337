import { z } from 'zod'
import { user } from './http/auth.ts'
import { contact } from './http/contact.ts'
import { eventSummary } from './http/events.ts'
import { mediaType } from './http/uploads.ts'
import { eventId, uploadId } from './ids.ts'

/** What the services tell each other: facts, named in the past tense, by versioned type. */
export const messages = {
  'user.registered.v1': user,
  'event.created.v1': eventSummary,
  'upload.completed.v1': z.object({
    uploadId,
    eventId,
    contentType: mediaType,
    size: z.int().positive(),
  }),
  'upload.deleted.v1': z.object({ uploadId, eventId }),
  'media.processed.v1': z.object({
    uploadId,
    width: z.int().positive(),
    height: z.int().positive(),
    durationSeconds: z.number().nonnegative().optional(),
    takenAt: z.string().optional(),
  }),
  'media.failed.v1': z.object({ uploadId, reason: z.string() }),
  'contact.received.v1': contact,
} as const

export type MessageType = keyof typeof messages
export type MessageData<T extends MessageType> = z.infer<(typeof messages)[T]>

/**
 * CloudEvents 1.0, structured mode. `requestid` is our extension that joins logs across services; `traceparent` and
 * `tracestate` are CloudEvents' own, by which a trace goes on where the fact is heard.
 */
export const envelope = z.object({
  specversion: z.literal('1.0'),
  id: z.string().min(1),
  type: z.enum(Object.keys(messages) as [MessageType, ...MessageType[]]),
  source: z.string().min(1),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  requestid: z.string().optional(),
  traceparent: z.string().optional(),
  tracestate: z.string().optional(),
  data: z.unknown(),
})
export type Envelope<T extends MessageType = MessageType> = Omit<
  z.infer<typeof envelope>,
  'type' | 'data'
> & {
  type: T
  data: MessageData<T>
}
