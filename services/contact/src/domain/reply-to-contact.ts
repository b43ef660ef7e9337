import type { Contact } from '@confetti/contracts'
import { conflict, notFound, type Clock, type Principal } from '@confetti/service-kit'
import type { ContactStore } from './contact.ts'

interface Deps {
  contacts: Pick<ContactStore, 'find' | 'addReply'>
  clock: Clock
}

// The list of messages contains all replies.
const MAX_REPLIES = 50

/** Stores an admin's reply to a message. Throws `not_found`, or `conflict` if it has too many replies. */
export const makeReplyToContact =
  ({ contacts, clock }: Deps) =>
  async (
    contactId: string,
    message: string,
    admin: Pick<Principal, 'userId' | 'email'>,
  ): Promise<Contact> => {
    const contact = await contacts.find(contactId)
    if (!contact) throw notFound('Message not found.', { code: 'contact_not_found' })
    const reply = { message, adminId: admin.userId, adminEmail: admin.email, createdAt: clock() }
    const answered = await contacts.addReply(contact, reply, MAX_REPLIES)
    if (!answered)
      throw conflict(`This message has ${MAX_REPLIES} replies already.`, { code: 'too_many_replies' })
    return answered
  }
export type ReplyToContact = ReturnType<typeof makeReplyToContact>
