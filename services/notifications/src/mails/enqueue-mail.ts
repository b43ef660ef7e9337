import type { ErasedIds } from '@confetti/service-kit'
import type { MailStore, NewMail } from './mail.ts'

interface Deps {
  mails: Pick<MailStore, 'add' | 'remove'>
  erasedIds: Pick<ErasedIds, 'has'>
  /** Mails are neither stored nor sent while mail is off. */
  isMailOn: boolean
  wakeDelivery: () => void
}

/** Adds a mail to be sent, unless there is one for the same cause, or an account or the event that it is about was deleted. */
export const createEnqueueMail = ({ mails, erasedIds, isMailOn, wakeDelivery }: Deps) => {
  const isErased = async ({ userId, aboutUserId, eventId }: NewMail): Promise<boolean> => {
    for (const id of [userId, aboutUserId, eventId])
      if (id !== undefined && (await erasedIds.has(id))) return true
    return false
  }

  return async (mail: NewMail): Promise<void> => {
    if (!isMailOn || (await isErased(mail)) || !(await mails.add(mail))) return
    // Again: an erasure that begins after this check finds the mail.
    if (await isErased(mail)) await mails.remove(mail.cause)
    else wakeDelivery()
  }
}
export type EnqueueMail = ReturnType<typeof createEnqueueMail>
