import type { Contact, ContactList, NewContact } from '@confetti/contracts'
import {
  conflict,
  decodeCursor,
  encodeCursor,
  notFound,
  tooManyRequests,
  type Clock,
  type ErasedIds,
  type Principal,
} from '@confetti/service-kit'
import type { ContactStore, ErasedUser, MessageQuotaStore } from './stores.ts'

interface Deps {
  contacts: ContactStore
  quotas: MessageQuotaStore
  erasedIds: ErasedIds
  maxPerHour: number
  clock: Clock
}

type Account = Pick<Principal, 'userId' | 'email'>

// The list of messages contains all replies.
const MAX_REPLIES = 50

const contactNotFound = () => notFound('Message not found.', { code: 'contact_not_found' })

/** Messages of organisers to the admins, and their replies. */
export const createContacts = ({ contacts, quotas, erasedIds, maxPerHour, clock }: Deps) => {
  /** Removes everything about an account. */
  const eraseUser = async (user: ErasedUser): Promise<void> => {
    await erasedIds.add(user._id)
    await contacts.erase(user)
    await quotas.remove(user._id)
  }

  /** The access of an erased account ends a few seconds later than the account. */
  const eraseIfErased = async (userId: string, erasedAt: Date): Promise<void> => {
    if (await erasedIds.has(userId)) await eraseUser({ _id: userId, erasedAt })
  }

  /** Throws `notFound`. */
  const find = async (contactId: string): Promise<Contact> => {
    const contact = await contacts.find(contactId)
    if (!contact) throw contactNotFound()
    return contact
  }

  return {
    eraseUser,
    find,

    /** Stores a message to the admins. Throws `tooManyRequests` if the sender has sent `maxPerHour` in this hour. */
    send: async (message: NewContact, { userId, email }: Account): Promise<Contact> => {
      const now = clock()
      const { sent, endsAt } = await quotas.count(userId, now)
      if (sent > maxPerHour)
        throw tooManyRequests(
          `You can send at most ${maxPerHour} messages per hour. Please try again later.`,
          (endsAt.getTime() - now.getTime()) / 1_000,
        )
      const contact = await contacts.add({ ...message, userId, userEmail: email, createdAt: now })
      await eraseIfErased(userId, now)
      return contact
    },

    /** One page of the messages to the admins, newest first. */
    list: async ({ limit, after }: { limit: number; after?: string | undefined }): Promise<ContactList> => {
      const page = await contacts.list({ limit, after: after ? decodeCursor(after) : undefined })
      return { messages: page.contacts, ...(page.next && { nextCursor: encodeCursor(page.next) }) }
    },

    /** Stores an admin's reply to a message. Throws `notFound`, or `conflict` if it has too many replies. */
    reply: async (contactId: string, message: string, { userId, email }: Account): Promise<Contact> => {
      const contact = await find(contactId)
      const now = clock()
      const reply = { message, adminId: userId, adminEmail: email, createdAt: now }
      const answered = await contacts.addReply(contact, reply, MAX_REPLIES)
      if (answered === 'not-found') throw contactNotFound()
      if (answered === 'full')
        throw conflict(`This message has ${MAX_REPLIES} replies already.`, { code: 'too_many_replies' })
      await eraseIfErased(userId, now)
      return answered
    },
  }
}
export type Contacts = ReturnType<typeof createContacts>
