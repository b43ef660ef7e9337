import type { Contact, ContactList, ContactReply, NewContact } from '@confetti/contracts'
import {
  conflict,
  decodeCursor,
  encodeCursor,
  notFound,
  tooManyRequests,
  type ErasedIds,
  type PageRequest,
  type Position,
  type Principal,
  type Service,
} from '@confetti/service-kit'
import type { Config } from '../config.ts'

/** A message to the admins that has no id yet. */
export type UnsavedContact = Omit<Contact, '_id' | 'createdAt' | 'replies'> & {
  userId: string
  createdAt: Date
}

/** A reply that has no id yet. */
export type UnsavedReply = Omit<ContactReply, '_id' | 'createdAt'> & { adminId: string; createdAt: Date }

export interface ContactStore {
  /** Stores a message to the admins, together with its `contact.received` message if it `isMailed`. */
  add: (contact: UnsavedContact, options: { isMailed: boolean }) => Promise<Contact>
  /** One page of the messages to the admins, newest first, and the position after which the next page starts. */
  list: (request: PageRequest) => Promise<{ contacts: Contact[]; next?: Position }>
  find: (contactId: string) => Promise<Contact | undefined>
  /**
   * Adds a reply to a message together with its `contact.replied` message, unless it has `limit` replies. Returns the
   * message with its replies, or why there is no reply.
   */
  addReply: (contact: Contact, reply: UnsavedReply, limit: number) => Promise<Contact | 'full' | 'not-found'>
  /**
   * Removes the content of a message and of its replies, and stores the entry of the audit log; false if there is none.
   */
  markDeleted: (contactId: string, at: Date) => Promise<boolean>
  /** Removes what is left of deleted messages, and those from before `before`. Returns how many. */
  removeOld: (before: Date) => Promise<number>
  /** Removes the messages of an erased account, and its id and address from the replies that it has given. */
  erase: (userId: string) => Promise<void>
}

export interface MessageQuotaStore {
  /**
   * Counts a message that a user sends now, across all replicas, or `allUsers` together. Returns how many were sent since
   * the count started, this one included, and when it starts again: an hour after its first message.
   */
  count: (sender: string, now: Date) => Promise<{ sent: number; endsAt: Date }>
  /** Removes the count of a user. */
  remove: (userId: string) => Promise<void>
}

interface Deps extends Service<Config> {
  contacts: ContactStore
  quotas: MessageQuotaStore
  erasedIds: ErasedIds
}

type Account = Pick<Principal, 'userId' | 'email'>

/** Counts the messages of all users; no id of a user. */
const allUsers = 'all'
// Each is a mail to every admin, and anybody can have many accounts.
const MAX_MAILED_PER_HOUR = 60

// The list of messages contains all replies.
const MAX_REPLIES = 50

const contactNotFound = () => notFound('Message not found.', { code: 'contact_not_found' })

const DAY_MS = 24 * 3_600_000

/** Messages of organisers to the admins, and their replies. */
export const createContacts = ({ config, contacts, quotas, erasedIds, clock, logger }: Deps) => {
  const { USER_MESSAGES_PER_HOUR: maxPerHour } = config

  /** Removes everything about an account. */
  const eraseUser = async (userId: string): Promise<void> => {
    await erasedIds.add(userId)
    await contacts.erase(userId)
    await quotas.remove(userId)
  }

  /** The access of an erased account ends a few seconds later than the account. */
  const eraseIfErased = async (userId: string): Promise<void> => {
    if (await erasedIds.has(userId)) await eraseUser(userId)
  }

  /** Throws `notFound`. */
  const get = async (contactId: string): Promise<Contact> => {
    const contact = await contacts.find(contactId)
    if (!contact) throw contactNotFound()
    return contact
  }

  return {
    eraseUser,
    get,

    /**
     * Stores a message to the admins, who get a mail about it if it is one of the first 60 in this hour. Throws
     * `tooManyRequests` if the sender has sent USER_MESSAGES_PER_HOUR in this hour.
     */
    send: async (message: NewContact, { userId, email }: Account): Promise<Contact> => {
      const now = clock()
      const { sent, endsAt } = await quotas.count(userId, now)
      if (sent > maxPerHour)
        throw tooManyRequests(
          `You can send at most ${maxPerHour} messages per hour. Please try again later.`,
          (endsAt.getTime() - now.getTime()) / 1_000,
        )
      const isMailed = (await quotas.count(allUsers, now)).sent <= MAX_MAILED_PER_HOUR
      const contact = await contacts.add(
        { ...message, userId, userEmail: email, createdAt: now },
        { isMailed },
      )
      if (!isMailed)
        logger.warn(
          { contactId: contact._id },
          'too many messages in this hour, stored without a mail to the admins',
        )
      await eraseIfErased(userId)
      return contact
    },

    /** One page of the messages to the admins, newest first. */
    list: async ({ limit, after }: { limit: number; after?: string | undefined }): Promise<ContactList> => {
      const page = await contacts.list({ limit, after: after ? decodeCursor(after) : undefined })
      return { messages: page.contacts, ...(page.next && { nextCursor: encodeCursor(page.next) }) }
    },

    /** Stores an admin's reply to a message. Throws `notFound`, or `conflict` if it has too many replies. */
    reply: async (contactId: string, message: string, { userId, email }: Account): Promise<Contact> => {
      const contact = await get(contactId)
      const now = clock()
      const reply = { message, adminId: userId, adminEmail: email, createdAt: now }
      const answered = await contacts.addReply(contact, reply, MAX_REPLIES)
      if (answered === 'not-found') throw contactNotFound()
      if (answered === 'full')
        throw conflict(`This message has ${MAX_REPLIES} replies already.`, { code: 'too_many_replies' })
      await eraseIfErased(userId)
      return answered
    },

    /** Deletes a message with its replies. Throws `notFound`. */
    remove: async (contactId: string): Promise<void> => {
      if (!(await contacts.markDeleted(contactId, clock()))) throw contactNotFound()
    },

    /** Removes what has been deleted, and what is older than `CONTACT_RETENTION_DAYS`. */
    sweep: async (): Promise<void> => {
      const before = new Date(clock().getTime() - config.CONTACT_RETENTION_DAYS * DAY_MS)
      const removed = await contacts.removeOld(before)
      logger.info({ removed }, 'sweep completed')
    },
  }
}
export type Contacts = ReturnType<typeof createContacts>
