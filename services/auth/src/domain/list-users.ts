import type { User } from '@confetti/contracts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'listOrganisers'>
}

/** The active accounts that an event can be assigned to, invited ones included, sorted by email address. */
export const makeListUsers =
  ({ users }: Deps) =>
  (): Promise<User[]> =>
    users.listOrganisers()
export type ListUsers = ReturnType<typeof makeListUsers>
