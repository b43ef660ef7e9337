import type { Contact } from '@confetti/contracts'
import { conflict, notFound, type Clock, type ErasedIds, type Principal } from '@confetti/service-kit'
import type { ContactStore } from './contact.ts'
import type { EraseUser } from './erase-user.ts'

interface Deps {
  contacts: Pick<ContactStore, 'addReply'>
  findContact: FindContact
  erasedIds: Pick<ErasedIds, 'has'>
  eraseUser: EraseUser
  clock: Clock
}

// The list of messages contains all replies.
const MAX_REPLIES = 50

const contactNotFound = () => notFound('Message not found.', { code: 'contact_not_found' })

/** Finds a message. Throws `not_found`. */
export const makeFindContact =
  ({ contacts }: { contacts: Pick<ContactStore, 'find'> }) =>
  async (contactId: string): Promise<Contact> => {
    const contact = await contacts.find(contactId)
    if (!contact) throw contactNotFound()
    return contact
  }
export type FindContact = ReturnType<typeof makeFindContact>

/** Stores an admin's reply to a message. Throws `not_found`, or `conflict` if it has too many replies. */
export const makeReplyToContact =
  ({ contacts, findContact, erasedIds, eraseUser, clock }: Deps) =>
  async (
    contactId: string,
    message: string,
    admin: Pick<Principal, 'userId' | 'email'>,
  ): Promise<Contact> => {
    const contact = await findContact(contactId)
    const now = clock()
    const reply = { message, adminId: admin.userId, adminEmail: admin.email, createdAt: now }
    const answered = await contacts.addReply(contact, reply, MAX_REPLIES)
    if (answered === 'not-found') throw contactNotFound()
    if (answered === 'full')
      throw conflict(`This message has ${MAX_REPLIES} replies already.`, { code: 'too_many_replies' })
    // The access of an erased account ends a few seconds later.
    if (await erasedIds.has(admin.userId)) await eraseUser({ _id: admin.userId, erasedAt: now })
    return answered
  }
export type ReplyToContact = ReturnType<typeof makeReplyToContact>
