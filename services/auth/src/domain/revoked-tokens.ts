import type { RevokedTokens } from '@confetti/contracts'
import type { Clock, IsRevoked } from '@confetti/service-kit'
import type { UserStore } from './user.ts'

interface ListDeps {
  users: Pick<UserStore, 'listRevokedSince'>
  accessTokenTtlMs: number
  /** The most accounts in the list. */
  limit: number
  clock: Clock
}

// For replicas whose clocks differ.
const CLOCK_SKEW_MS = 60_000

/** Lists the accounts with access tokens that were revoked and have not expired. */
export const makeListRevokedTokens =
  ({ users, accessTokenTtlMs, limit, clock }: ListDeps) =>
  async (): Promise<RevokedTokens> => {
    const since = new Date(clock().getTime() - accessTokenTtlMs - CLOCK_SKEW_MS)
    const revoked = await users.listRevokedSince(since, limit + 1)
    const accounts = revoked.slice(0, limit).map(({ userId, revision }) => ({ userId, revision }))
    // What was revoked earlier than the last one that fits concerns tokens that were issued before it. Their owners
    // refresh them once, which nobody notices.
    const lastInList = revoked.length > limit ? revoked[limit - 1] : undefined
    return {
      accounts,
      ...(lastInList && { issuedBefore: Math.ceil(lastInList.revokedAt.getTime() / 1_000) }),
    }
  }
export type ListRevokedTokens = ReturnType<typeof makeListRevokedTokens>

/** Checks an access token against the account itself, so that in this service its access ends at once. */
export const makeIsRevoked =
  ({ users }: { users: Pick<UserStore, 'find'> }): IsRevoked =>
  async ({ userId, revision }) => {
    const account = await users.find(userId)
    return !account?.isActive || revision < account.accessRevision
  }
