import type { Contact } from '@confetti/contracts'
import type { PageRequest, Position } from '@confetti/service-kit'

/** A message to the admins that has no id yet. */
export type UnsavedContact = Omit<Contact, '_id' | 'createdAt'> & { createdAt: Date }

export interface ContactStore {
  /** Stores a message to the admins together with its `contact.received` message. */
  add: (contact: UnsavedContact) => Promise<Contact>
  /** One page of the messages to the admins, newest first, and the position after which the next page starts. */
  list: (request: PageRequest) => Promise<{ contacts: Contact[]; next?: Position }>
}
