import type { ContactList } from '@confetti/contracts'
import { decodeCursor, encodeCursor } from '@confetti/service-kit'
import type { ContactStore } from './contact.ts'

interface Deps {
  contacts: Pick<ContactStore, 'list'>
}

interface Query {
  limit: number
  after?: string | undefined
}

/** Lists one page of the messages to the admins, newest first. */
export const makeListContacts =
  ({ contacts }: Deps) =>
  async ({ limit, after }: Query): Promise<ContactList> => {
    const page = await contacts.list({ limit, after: after ? decodeCursor(after) : undefined })
    return { messages: page.contacts, ...(page.next && { nextCursor: encodeCursor(page.next) }) }
  }
export type ListContacts = ReturnType<typeof makeListContacts>
