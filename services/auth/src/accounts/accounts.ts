import type {
  Account as AccountView,
  AccountList,
  RevokedTokens,
  Role,
  User,
  UserSummary,
} from '@confetti/contracts'
import {
  changeUntilWritten,
  conflict,
  decodeCursor,
  encodeCursor,
  notFound,
  throwIfAny,
  tryEach,
  unavailable,
  type IsRevoked,
} from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import { toUserSummary, type Account, type AccountChange, type UserStore } from './user.ts'

const userNotFound = () => notFound('User not found.', { code: 'user_not_found' })
const accountBusy = () => unavailable('The account is being changed right now. Please try again.')

/**
 * Changes an account by what `decide` returns for its current state, and decides again if a concurrent request has
 * changed it meanwhile. Throws `notFound` if there is no such account, and what `decide` throws.
 */
export const changeAccount = async (
  users: Pick<UserStore, 'find' | 'change'>,
  userId: string,
  decide: (account: Account) => AccountChange,
): Promise<Account> =>
  changeUntilWritten(async () => {
    const account = await users.find(userId)
    if (!account) throw userNotFound()
    return users.change(account, decide(account))
  }, accountBusy)

// A request that died has left its mark. Removing the mark changes the account's revision, so that the request could not
// continue even if it were only slow.
const STALE_MARK_MS = 10_000

/** Whether the account can sign in as an admin. */
const isAdmin = ({ user, isActive, passwordHash }: Account): boolean =>
  user.role === 'admin' && isActive && passwordHash !== undefined

const lastAdmin = () =>
  conflict('This is the last active admin. Please make somebody else an admin first.', {
    code: 'last_admin',
  })

/**
 * Runs `leave`, which ends that an account is an active admin, unless it is the last one: then it throws `conflict`.
 * `leave` returns undefined if the account has changed since it was read.
 *
 * The database changes one document at a time, so two admins who remove each other could both see the other one. The
 * account is therefore marked first, and only unmarked admins count as others: of two concurrent requests, the one that
 * marks later finds the mark of the other. Each step requires the revision of the step before.
 */
const createLeaveAdmins = ({ users, clock }: Deps) => {
  const releaseStaleMarks = (admins: readonly Account[]) =>
    Promise.all(
      admins
        .filter(
          ({ leavingAdminsSince: since }) => since && clock().getTime() - since.getTime() > STALE_MARK_MS,
        )
        .map((admin) => users.change(admin, { leavingAdminsSince: null })),
    )

  return <T>(userId: string, leave: (account: Account) => Promise<T | undefined>): Promise<T> =>
    changeUntilWritten(async () => {
      const account = await users.find(userId)
      if (!account) throw userNotFound()
      if (!isAdmin(account)) return leave(account)
      const marked = await users.change(account, { leavingAdminsSince: clock() })
      if (!marked) return undefined
      const others = await users.listOtherAdmins(userId)
      if (others.some(({ leavingAdminsSince }) => !leavingAdminsSince)) return leave(marked)
      await users.change(marked, { leavingAdminsSince: null })
      if (others.length === 0) throw lastAdmin()
      // All others are leaving. One of them stays if it is the last, so its request ends first.
      await releaseStaleMarks(others)
      return undefined
    }, accountBusy)
}

interface Invitation extends Pick<User, 'email' | 'role'> {
  /** The id of the admin. */
  invitedBy: string
}

interface Changes {
  role?: Role | undefined
  active?: boolean | undefined
}

interface Query {
  search?: string | undefined
  limit: number
  after?: string | undefined
}

// For replicas whose clocks differ.
const CLOCK_SKEW_MS = 60_000
// The list of revoked tokens looks further back than access tokens live, by a minute.
const ERASED_RECORD_MARGIN_MS = 120_000

/** An account as admins see it. */
const toAccountView = ({ user, isActive, createdAt, lastSignInAt, invitedAt }: Account): AccountView => ({
  ...user,
  active: isActive,
  createdAt: createdAt.toISOString(),
  ...(lastSignInAt && { lastSignInAt: lastSignInAt.toISOString() }),
  ...(invitedAt && { invitedAt: invitedAt.toISOString() }),
})

const toChange = (
  { user, isActive }: Account,
  { role = user.role, active = isActive }: Changes,
): AccountChange => ({
  ...(role !== user.role && { role }),
  ...(active !== isActive && { isActive: active }),
  ...(!active && { endsSessions: true }),
  leavingAdminsSince: null,
})

export const emailTaken = () => {
  const message = 'An account with this email already exists.'
  return conflict(message, {
    code: 'email_taken',
    details: [{ field: 'email', message, code: 'email_taken' }],
  })
}

/** What admins do with accounts, and what other services know of them. */
export const createAccounts = (deps: Deps) => {
  const { config, users, sessionStore, knownAddressStore, links, stopping, clock, logger } = deps
  const leaveAdmins = createLeaveAdmins(deps)
  const accessTokenTtlMs = config.ACCESS_TOKEN_SECONDS * 1_000

  /**
   * Changes the role of an account, or whether it may sign in; deactivating it ends its sessions. Throws `notFound`, and
   * `conflict` if no active admin would remain.
   */
  const update = async (userId: string, changes: Changes): Promise<AccountView> => {
    const removesAdmin = changes.role === 'user' || changes.active === false
    const changed = removesAdmin
      ? await leaveAdmins(userId, (account) => users.change(account, toChange(account, changes)))
      : await changeAccount(users, userId, (account) => toChange(account, changes))
    if (!changed.isActive) await sessionStore.revokeAll(userId)
    return toAccountView(changed)
  }

  const findOrAdd = async ({ email, role, invitedBy }: Invitation): Promise<User> => {
    const language = (await users.find(invitedBy))?.language
    const added = await users.add({ email, role, invitedAt: clock(), ...(language && { language }) })
    if (added) return added.user
    const existing = await users.findByEmail(email)
    if (!existing || existing.passwordHash !== undefined) throw emailTaken()
    if (existing.user.role !== role || !existing.isActive)
      await update(existing.user._id, { role, active: true })
    return existing.user
  }

  return {
    update,

    /** One account as other services copy it. Throws `notFound`. */
    get: async (userId: string): Promise<UserSummary & { active: boolean }> => {
      const account = await users.find(userId)
      if (!account) throw userNotFound()
      return { ...toUserSummary(account), active: account.isActive }
    },

    listChanges: users.listChanges,

    /** The active accounts that an event can be assigned to, invited ones included, sorted by email address. */
    listOrganisers: (): Promise<User[]> => users.listOrganisers(),

    /** One page of the accounts whose address contains `search`, newest first. */
    list: async ({ search, limit, after }: Query): Promise<AccountList> => {
      const page = await users.list({ limit, after: after ? decodeCursor(after) : undefined }, search)
      return {
        users: page.accounts.map(toAccountView),
        ...(page.next && { nextCursor: encodeCursor(page.next) }),
      }
    },

    /**
     * Creates an account without a password and sends its owner a link, or returns the link where the system sends no
     * mail. An account whose invitation has not been accepted is invited again: its earlier link stops working, and it
     * gets the new role. A new account has the language of the admin who invites it. Throws `conflict` if the address has
     * an account with a password.
     */
    invite: async (invitation: Invitation): Promise<{ user: AccountView; invitationUrl?: string }> => {
      const { _id } = await findOrAdd(invitation)
      const invitedAt = clock()
      const newLink = links.newLink(
        'invitation',
        _id,
        new Date(invitedAt.getTime() + config.INVITATION_SECONDS * 1_000),
      )
      const account = await changeAccount(users, _id, (latest) => {
        if (latest.passwordHash !== undefined) throw emailTaken()
        return {
          invitedAt,
          invitation: { ...newLink.link, invitedBy: invitation.invitedBy },
          action: 'user.invited',
          mail: links.linkMail('invitation', latest, newLink),
        }
      })
      return { user: toAccountView(account), ...(!links.sendsMail && { invitationUrl: newLink.url }) }
    },

    /**
     * Erases an account and its sessions, and publishes `user.deleted`. Throws `notFound`, and `conflict` if no active
     * admin would remain.
     */
    erase: async (userId: string): Promise<void> => {
      await leaveAdmins(userId, users.erase)
      await sessionStore.revokeAll(userId)
      await knownAddressStore.removeOfUser(userId)
    },

    /** The accounts with access tokens that were revoked and have not expired. */
    listRevoked: async (): Promise<RevokedTokens> => {
      const { REVOKED_ACCOUNTS_LIMIT: revokedLimit } = config
      const since = new Date(clock().getTime() - accessTokenTtlMs - CLOCK_SKEW_MS)
      const revoked = await users.listRevokedSince(since, revokedLimit + 1)
      const accounts = revoked.slice(0, revokedLimit).map(({ userId, revision }) => ({ userId, revision }))
      // What was revoked earlier than the last one that fits concerns tokens that were issued before it. Their owners
      // refresh them once, which nobody notices.
      const lastInList = revoked.length > revokedLimit ? revoked[revokedLimit - 1] : undefined
      return {
        accounts,
        ...(lastInList && { issuedBefore: Math.ceil(lastInList.revokedAt.getTime() / 1_000) }),
      }
    },

    /** Removes the empty records of erased accounts, and what was written about them while they were erased. */
    sweepErased: async (): Promise<void> => {
      const keptSince = new Date(clock().getTime() - accessTokenTtlMs - ERASED_RECORD_MARGIN_MS)
      const userIds = await users.listErased(keptSince)
      const errors = await tryEach(
        userIds,
        async (userId) => {
          await sessionStore.revokeAll(userId)
          await knownAddressStore.removeOfUser(userId)
          await users.remove(userId)
        },
        {
          stopping,
          onError: (error, userId) =>
            logger.warn({ err: error, userId }, 'failed to remove an erased account, will retry'),
        },
      )
      const removed = userIds.length - errors.length
      if (removed > 0) logger.info({ removed }, 'records of erased accounts removed')
      throwIfAny(errors, 'some erased accounts were not removed')
    },
  }
}

/** Checks an access token against the account itself, so that in this service its access ends at once. */
export const createIsRevoked =
  (users: Pick<UserStore, 'find'>): IsRevoked =>
  async ({ userId, revision }) => {
    const account = await users.find(userId)
    return !account?.isActive || revision < account.accessRevision
  }
