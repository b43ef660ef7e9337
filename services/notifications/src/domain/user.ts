import type { Role } from '@confetti/contracts'

/** The copy of an account. */
export interface User {
  _id: string
  email: string
  role: Role
  active: boolean
  /** The language of mails to its owner. */
  language?: string | undefined
}

export interface UserStore {
  find: (userId: string) => Promise<User | undefined>
  /** Saves an account unless the stored copy has the same or a later revision. */
  save: (user: User, revision: number) => Promise<void>
  remove: (userId: string) => Promise<void>
  /** The first `limit` admins who may sign in, by id. */
  listActiveAdmins: (limit: number) => Promise<User[]>
}
