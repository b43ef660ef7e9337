import type { User } from '@confetti/contracts'
import type { UserStore } from '../storage/user-store.ts'

/** The accounts that an event can be assigned to, by address. */
export const makeListUsers =
  ({ users }: { users: UserStore }) =>
  (): Promise<User[]> =>
    users.listOrganisers()
export type ListUsers = ReturnType<typeof makeListUsers>
