import type { User } from '@confetti/contracts'

/** An account and the hash of its password. */
interface Account {
  user: User
  passwordHash: string
}

type NewUser = Pick<User, 'email' | 'role'> & Pick<Account, 'passwordHash'>

export interface UserStore {
  /** Stores a new account together with its `user.registered` message; undefined if the email address is taken. */
  add: (account: NewUser) => Promise<User | undefined>
  find: (userId: string) => Promise<User | undefined>
  findByEmail: (email: string) => Promise<Account | undefined>
  /** The accounts with role user, sorted by email address. */
  listOrganisers: () => Promise<User[]>
}
