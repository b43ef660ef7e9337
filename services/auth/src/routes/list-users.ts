import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListUsers } from '../domain/list-users.ts'

export interface ListUsersDeps {
  listUsers: ListUsers
}

export const listUsersRoute = ({ listUsers }: ListUsersDeps): Route<typeof contracts.listUsers> => ({
  ...contracts.listUsers,
  handle: async () => ({ status: 200, body: await listUsers() }),
})
