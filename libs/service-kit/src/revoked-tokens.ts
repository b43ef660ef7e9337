import type { RevokedTokens } from '@confetti/contracts'

/** What identifies an access token in the list of revoked ones. */
interface TokenIdentity {
  userId: string
  /** The revision of the account when the token was issued. */
  revision: number
  /** Seconds since 1970. */
  issuedAt: number
}

/** Whether an access token has been revoked before it expires. */
export type IsRevoked = (token: TokenIdentity) => Promise<boolean>

// A list of this age is used, and the next one is fetched meanwhile.
const REFRESH_AGE_MS = 5_000
// A list of this age is not used any more. With the timeout of the call, access ends well within a minute.
const MAX_AGE_MS = 40_000

/**
 * Creates a check against the list that `fetchList` returns. The list is fetched when a token is checked, at most every
 * 5 s. While it cannot be fetched, the last one is used for 40 s; then the check rejects with the error of `fetchList`,
 * so that a revoked token is never accepted for longer.
 */
export const createRevocationCheck = (
  fetchList: () => Promise<RevokedTokens>,
  now: () => number = () => performance.now(),
): IsRevoked => {
  let revisions = new Map<string, number>()
  let issuedBefore = -Infinity
  let fetchedAt = -Infinity
  let fetching: Promise<void> | undefined

  const refresh = async (): Promise<void> => {
    // Before the call: what changes while the response is on its way is not in it.
    const startedAt = now()
    const list = await fetchList()
    revisions = new Map(list.accounts.map(({ userId, revision }) => [userId, revision]))
    issuedBefore = list.issuedBefore ?? -Infinity
    fetchedAt = startedAt
  }
  const startRefresh = (): Promise<void> =>
    (fetching ??= refresh().finally(() => {
      fetching = undefined
    }))

  return async ({ userId, revision, issuedAt }) => {
    const age = now() - fetchedAt
    if (age > MAX_AGE_MS) await startRefresh()
    else if (age > REFRESH_AGE_MS) startRefresh().catch(() => undefined)
    return issuedAt <= issuedBefore || revision < (revisions.get(userId) ?? 0)
  }
}
