import { z } from 'zod'
import { auditRecordedV1 } from './audit.ts'
import { userChangedV1, userDeletedV1, userErasedV1, userMailRequestedV1, userRegisteredV1 } from './auth.ts'
import { contactReceivedV1, contactRepliedV1 } from './contact.ts'
import { eventCopy, eventDeletedV1, eventErasedV1, organiserInvitedV1 } from './events.ts'
import {
  mediaCopiedV1,
  mediaCopyRequestedV1,
  mediaFailedV1,
  mediaProcessedV1,
  mediaRenderedV1,
  mediaRenditionRequestedV1,
} from './media.ts'
import {
  uploadChangedV1,
  uploadCompletedV1,
  uploadDeletedV1,
  uploadsCountedV1,
  uploadsErasedV1,
} from './uploads.ts'

/** A queue was missing and has been declared: at the first start, or because it was lost with its messages. */
export const queueCreatedV1 = z.object({
  /** `service.message`, without the namespace. */
  queue: z.string(),
})

/** The messages between services, by versioned type, named in the past tense. */
export const messages = {
  'user.registered.v1': userRegisteredV1,
  'user.changed.v1': userChangedV1,
  'user.deleted.v1': userDeletedV1,
  'user.erased.v1': userErasedV1,
  'user.mail-requested.v1': userMailRequestedV1,
  'event.created.v1': eventCopy,
  'event.changed.v1': eventCopy,
  'event.deleted.v1': eventDeletedV1,
  'event.erased.v1': eventErasedV1,
  'organiser.invited.v1': organiserInvitedV1,
  'upload.completed.v1': uploadCompletedV1,
  'upload.changed.v1': uploadChangedV1,
  'upload.deleted.v1': uploadDeletedV1,
  'uploads.counted.v1': uploadsCountedV1,
  'uploads.erased.v1': uploadsErasedV1,
  'media.processed.v1': mediaProcessedV1,
  'media.failed.v1': mediaFailedV1,
  'media.rendition-requested.v1': mediaRenditionRequestedV1,
  'media.rendered.v1': mediaRenderedV1,
  'media.copy-requested.v1': mediaCopyRequestedV1,
  'media.copied.v1': mediaCopiedV1,
  'contact.received.v1': contactReceivedV1,
  'contact.replied.v1': contactRepliedV1,
  'audit.recorded.v1': auditRecordedV1,
  'queue.created.v1': queueCreatedV1,
} as const

export type MessageType = keyof typeof messages
export type MessageData<T extends MessageType> = z.infer<(typeof messages)[T]>

/**
 * CloudEvents 1.0, structured mode. `requestid` is an extension of Confetti that correlates logs across services;
 * `traceparent` and `tracestate` are the CloudEvents extension for distributed tracing.
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
