import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListAccounts } from '../domain/list-accounts.ts'

export interface ListAccountsDeps {
  listAccounts: ListAccounts
}

export const listAccountsRoute = ({
  listAccounts,
}: ListAccountsDeps): Route<typeof contracts.listAccounts> => ({
  ...contracts.listAccounts,
  handle: async ({ query }) => ({ status: 200, body: await listAccounts(query) }),
})
