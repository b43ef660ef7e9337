import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListContacts } from '../domain/list-contacts.ts'

interface Deps {
  listContacts: ListContacts
}

export const listContactsRoute = ({ listContacts }: Deps): Route<typeof contracts.listContacts> => ({
  ...contracts.listContacts,
  handle: async () => ({ status: 200, body: { messages: await listContacts() } }),
})
