import { SYSTEM_ACTOR, type AuditAction, type MessageData } from '@confetti/contracts'
import { currentCaller, pickDefined } from '@confetti/service-kit'
import { Types } from 'mongoose'
import { newMessage, type Message } from './message.ts'

type Recorded = MessageData<'audit.recorded.v1'>

export interface AuditedChange extends Pick<Recorded, 'subject' | 'details'> {
  action: AuditAction
  /** The event that it concerns. */
  eventId?: string | undefined
  /** Default: the member whose request is being handled, or the system. */
  actor?: Recorded['actor'] | undefined
}

/**
 * The message that records who changed or deleted something. It belongs in the outbox of what has changed, so that there
 * is no change without its entry.
 */
export const auditMessage = ({
  action,
  subject,
  actor,
  ...optional
}: AuditedChange): Message<'audit.recorded.v1'> => {
  const caller = currentCaller()
  const principal = caller?.principal
  const member = principal && { _id: principal.userId, email: principal.email }
  return newMessage('audit.recorded.v1', {
    action,
    subject,
    // Databases store undefined as null.
    ...pickDefined(optional, ['eventId', 'details']),
    _id: new Types.ObjectId().toHexString(),
    at: new Date().toISOString(),
    actor: actor ?? member ?? { _id: SYSTEM_ACTOR, email: '' },
    address: caller?.address ?? '',
  })
}
