import type { AuditAction, Locale, MessageData, Role, User, UserCopy, UserSummary } from '@confetti/contracts'
import type { PageRequest, Position } from '@confetti/service-kit'

/** A link that was sent to the owner of an account. Only the hash of its token is stored. */
export interface AccountLink {
  hash: string
  expiresAt: Date
  /** The id of the admin who has invited the owner of the account. */
  invitedBy?: string
}

export interface Account {
  user: User
  /** Absent until the owner of an invited account has set a password. */
  passwordHash?: string
  /** Whether the account may sign in. */
  isActive: boolean
  /** Counts the changes of the account. */
  revision: number
  /** Access tokens that were issued at a lower revision are revoked. */
  accessRevision: number
  /** Sessions that were started at a lower revision have ended. */
  sessionsRevision: number
  createdAt: Date
  /** The language of mails to its owner. Absent until a browser has named one. */
  language?: Locale
  lastSignInAt?: Date
  /** When the account was last invited; absent once a password has been set. */
  invitedAt?: Date
  invitation?: AccountLink
  passwordReset?: AccountLink
  /** Set while the account is being removed from the admins. */
  leavingAdminsSince?: Date
}

/** An account as other services copy it. */
export const toUserSummary = ({ user, language }: Pick<Account, 'user' | 'language'>): UserSummary => ({
  ...user,
  ...(language && { language }),
})

type NewUser = Pick<User, 'email' | 'role'> &
  Pick<Account, 'passwordHash' | 'language' | 'lastSignInAt' | 'invitedAt'>

export type RequestedMail = MessageData<'user.mail-requested.v1'>

type Removable<T> = { [K in keyof T]?: T[K] | null }

/** New values of fields; null removes one. A change publishes one message at most, and its entries in the audit log. */
export type AccountChange = Pick<Account, 'passwordHash'> &
  Removable<Pick<Account, 'invitedAt' | 'invitation' | 'passwordReset' | 'leavingAdminsSince'>> & {
    /** What the audit log says, where it is not the new role or the new state. */
    action?: AuditAction
    /** Ends all sessions and revokes all access tokens. */
    endsSessions?: boolean
  } & (
    | { role?: Role; isActive?: boolean; language?: Locale; mail?: undefined }
    | { role?: undefined; isActive?: undefined; language?: undefined; mail: RequestedMail | undefined }
  )

/** An account whose access tokens of an earlier revision have been revoked. */
interface RevokedAccess {
  userId: string
  revision: number
  revokedAt: Date
}

/** The services that have something of accounts, besides this one. Each confirms that it has erased a deleted one. */
export const userHolders = ['contact', 'events', 'notifications'] as const
type UserHolder = (typeof userHolders)[number]

export interface UserStore {
  /** Stores a new account together with its `user.registered` message and its audit entry; undefined if the email address is taken. */
  add: (account: NewUser) => Promise<Account | undefined>
  find: (userId: string) => Promise<Account | undefined>
  findByEmail: (email: string) => Promise<Account | undefined>
  /**
   * Changes an account, together with its message: `user.changed` if its role, its being active or its language
   * changes, otherwise a mail. Undefined if the account has changed since it was read.
   */
  change: (account: Account, change: AccountChange) => Promise<Account | undefined>
  /**
   * Removes all personal data of an account and frees its address. An empty record remains until `user.deleted` has been
   * published and the account's access tokens have expired. Undefined if the account has changed since it was read.
   */
  erase: (account: Account) => Promise<true | undefined>
  recordSignIn: (userId: string, at: Date) => Promise<void>
  /** The first accounts that have changed since a position, as other services copy them, and the position of the last one. */
  listChanges: (since: string | undefined) => Promise<{ users: UserCopy[]; position?: string }>
  /** The active accounts with role user, sorted by email address. */
  listOrganisers: () => Promise<User[]>
  /** One page of all accounts whose address contains `search`, newest first. */
  list: (page: PageRequest, search?: string) => Promise<{ accounts: Account[]; next?: Position }>
  /** Other admins who can sign in, at most 100. */
  listOtherAdmins: (userId: string) => Promise<Account[]>
  /** Accounts whose access tokens have been revoked since `time`, the latest first. */
  listRevokedSince: (time: Date, limit: number) => Promise<RevokedAccess[]>
  /** Remembers that a service has erased what it had of an erased account. */
  confirmErasure: (userId: string, service: string) => Promise<void>
  /** At most 100 ids of erased accounts of which `user.deleted` was last published before `before`, and not all services have confirmed. */
  listUnerased: (before: Date) => Promise<string[]>
  /** Publishes `user.deleted` of an account again, unless that was done since `before`. */
  repeatErasure: (userId: string, before: Date, now: Date) => Promise<void>
  /** When the erasure that has waited longest for a service was made, if one waits. */
  findOldestErasure: (service: UserHolder) => Promise<Date | undefined>
  /** The ids of accounts that were erased at or before `time` and of which no service has anything, at most 100. */
  listErased: (time: Date) => Promise<string[]>
  /** Removes the record of an erased account. */
  remove: (userId: string) => Promise<void>
}
