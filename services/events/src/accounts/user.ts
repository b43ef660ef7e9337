import type { User } from '@confetti/contracts'

/** The copy of an account. */
export interface StoredUser extends User {
  active: boolean
  /** Counts the changes of the account. */
  revision: number
}

/** Whether events can be assigned to an account. */
export const isOrganiser = ({ role, active }: Pick<StoredUser, 'role' | 'active'>): boolean =>
  role === 'user' && active

/** The local copy of accounts. */
export interface UserStore {
  find: (userId: string) => Promise<StoredUser | undefined>
  findByEmail: (email: string) => Promise<StoredUser | undefined>
  /** Adds or replaces the copy of an account, unless it is newer or the account has been erased. */
  save: (user: StoredUser) => Promise<void>
  /** Whether an account has been erased. */
  isErased: (userId: string) => Promise<boolean>
  /** Removes the copy of an account for good. */
  erase: (userId: string) => Promise<void>
}
