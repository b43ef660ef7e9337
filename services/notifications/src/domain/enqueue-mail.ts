import type { ErasedIds } from '@confetti/service-kit'
import type { MailStore, NewMail } from './mail.ts'

interface Deps {
  mails: Pick<MailStore, 'add' | 'remove'>
  erasedIds: Pick<ErasedIds, 'has'>
  /** Mails are neither stored nor sent while mail is off. */
  isMailOn: boolean
  wakeDelivery: () => void
}

/** Adds a mail to be sent, unless there is one for the same cause or its account or event has been deleted. */
export const makeEnqueueMail = ({ mails, erasedIds, isMailOn, wakeDelivery }: Deps) => {
  const isErased = async ({ userId, eventId }: NewMail): Promise<boolean> =>
    (userId !== undefined && (await erasedIds.has(userId))) ||
    (eventId !== undefined && (await erasedIds.has(eventId)))

  return async (mail: NewMail): Promise<void> => {
    if (!isMailOn || (await isErased(mail)) || !(await mails.add(mail))) return
    // Again: an erasure that begins after this check finds the mail.
    if (await isErased(mail)) await mails.remove(mail.cause)
    else wakeDelivery()
  }
}
export type EnqueueMail = ReturnType<typeof makeEnqueueMail>
