import type { User } from '@confetti/contracts'

/** The local copy of accounts. */
export interface UserStore {
  find: (userId: string) => Promise<User | undefined>
  /** Adds or replaces the copy of an account. */
  save: (user: User) => Promise<void>
}
