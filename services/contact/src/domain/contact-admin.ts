import type { Contact, NewContact } from '@confetti/contracts'
import type { ContactStore } from '../storage/contact-store.ts'

interface Deps {
  contacts: ContactStore
  clock: { now: () => Date }
}

/** Leaves the admins a message from the account with this address. */
export const makeContactAdmin =
  ({ contacts, clock }: Deps) =>
  (message: NewContact, userEmail: string): Promise<Contact> =>
    contacts.add({ ...message, userEmail, createdAt: clock.now() })
export type ContactAdmin = ReturnType<typeof makeContactAdmin>
