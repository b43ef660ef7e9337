import type { Contact } from '@confetti/contracts'
import type { ContactStore } from '../storage/contact-store.ts'

/** The messages to the admins, newest first. */
export const makeListContacts =
  ({ contacts }: { contacts: ContactStore }) =>
  (): Promise<Contact[]> =>
    contacts.list()
export type ListContacts = ReturnType<typeof makeListContacts>
