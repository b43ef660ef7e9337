import type { Contact, ContactReply } from '@confetti/contracts'
import type { PageRequest, Position } from '@confetti/service-kit'

/** A message to the admins that has no id yet. */
export type UnsavedContact = Omit<Contact, '_id' | 'createdAt' | 'replies'> & {
  userId: string
  createdAt: Date
}

/** An account that has been erased. */
export interface ErasedUser {
  _id: string
  email?: string | undefined
  erasedAt: Date
}

/** A reply that has no id yet. */
export type UnsavedReply = Omit<ContactReply, '_id' | 'createdAt'> & { adminId: string; createdAt: Date }

export interface ContactStore {
  /** Stores a message to the admins together with its `contact.received` message. */
  add: (contact: UnsavedContact) => Promise<Contact>
  /** One page of the messages to the admins, newest first, and the position after which the next page starts. */
  list: (request: PageRequest) => Promise<{ contacts: Contact[]; next?: Position }>
  find: (contactId: string) => Promise<Contact | undefined>
  /**
   * Adds a reply to a message together with its `contact.replied` message, unless it has `limit` replies. Returns the
   * message with its replies, or why there is no reply.
   */
  addReply: (contact: Contact, reply: UnsavedReply, limit: number) => Promise<Contact | 'full' | 'not-found'>
  /**
   * Removes the messages of an erased account, and its id and address from the replies that it has given. Records without its id,
   * from before version 0.2, are found by the address: those from before the erasure, as the address may be used again.
   */
  erase: (user: ErasedUser) => Promise<void>
}

export interface MessageQuotaStore {
  /**
   * Counts a message that a user sends now, across all replicas. Returns how many the user has sent since the count
   * started, this one included, and when it starts again: an hour after its first message.
   */
  count: (userId: string, now: Date) => Promise<{ sent: number; endsAt: Date }>
  /** Removes the count of a user. */
  remove: (userId: string) => Promise<void>
}
