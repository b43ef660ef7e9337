import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListContacts } from '../domain/list-contacts.ts'

export interface ListContactsDeps {
  listContacts: ListContacts
}

export const listContactsRoute = ({
  listContacts,
}: ListContactsDeps): Route<typeof contracts.listContacts> => ({
  ...contracts.listContacts,
  handle: async ({ query }) => ({ status: 200, body: await listContacts(query) }),
})
