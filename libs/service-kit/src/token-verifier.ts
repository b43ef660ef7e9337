import { KeyObject } from 'node:crypto'
import { listRevokedTokens, type RevokedTokens, type Role } from '@confetti/contracts'
import { createRemoteJWKSet, customFetch, errors } from 'jose'
import jwt from 'jsonwebtoken'
import type { z } from 'zod'
import { callService } from './call-service.ts'
import type { tokenVerifierConfig } from './config.ts'
import { unavailable } from './errors.ts'
import type { Clock } from './lifecycle.ts'

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

/** The authenticated caller of a route. */
export interface Principal {
  userId: string
  email: string
  role: Role
}

export type TokenVerification =
  | { state: 'valid'; principal: Principal }
  | { state: 'absent' | 'invalid' }
  /** The signature is valid, but the token has expired or been revoked: the client should refresh it. */
  | { state: 'expired' }

/** Returns the public key with this id, or undefined if the auth service does not publish it. */
export type FindSigningKey = (kid: string) => Promise<KeyObject | undefined>

const JWKS_TIMEOUT_MS = 3_000
// An unknown key id is a new key or a forgery. This bounds how often forgeries make us request the keys.
const JWKS_MIN_REFRESH_INTERVAL_MS = 5_000
// A key that is no longer published is rejected after this time at the latest.
const JWKS_MAX_AGE_MS = 600_000

/** Finds the keys of the auth service, and keeps them. Throws `unavailable` if none are kept and they cannot be fetched. */
const createFindPublishedKey = (jwksUrl: string): FindSigningKey => {
  let requestedAt = -Infinity
  const getKey = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: JWKS_TIMEOUT_MS,
    cacheMaxAge: JWKS_MAX_AGE_MS,
    // Its own bound counts from the last success, so that forgeries would ask again and again while auth is away.
    cooldownDuration: 0,
    [customFetch]: async (url, options) => {
      if (getKey.fresh && Date.now() - requestedAt < JWKS_MIN_REFRESH_INTERVAL_MS)
        throw new Error('The keys were requested a moment ago')
      requestedAt = Date.now()
      return fetch(url, options)
    },
  })
  return async (kid) => {
    try {
      return KeyObject.from(await getKey({ alg: 'ES256', kid }))
    } catch (error) {
      // By keys that are kept, one that is unknown is a forgery.
      if (error instanceof errors.JWKSNoMatchingKey || getKey.fresh) return undefined
      throw unavailable('Signing in is not possible right now. Please try again in a moment.', 2, error)
    }
  }
}

const identify = ({ sub, email, role, revision, iat = 0 }: jwt.JwtPayload) => {
  if (typeof sub !== 'string' || typeof email !== 'string' || typeof revision !== 'number') return undefined
  // The specification: a user with no role is treated as user.
  const principal: Principal = { userId: sub, email, role: role === 'admin' ? 'admin' : 'user' }
  return { principal, identity: { userId: sub, revision, issuedAt: iat } }
}

export type VerifyToken = (authorization: string | undefined) => Promise<TokenVerification>

/** The claims of a genuine token; undefined if it is not one. */
const readClaims = (
  token: string,
  key: KeyObject,
  expected: { issuer: string; audience: string; clockTimestamp: number },
): jwt.JwtPayload | 'expired' | undefined => {
  try {
    const claims = jwt.verify(token, key, { algorithms: ['ES256'], ...expected })
    return typeof claims === 'string' ? undefined : claims
  } catch (error) {
    // The signature is verified first, so an expired token is a genuine one.
    return error instanceof jwt.TokenExpiredError ? 'expired' : undefined
  }
}

/** Creates a function that verifies the value of an Authorization header. The algorithm is pinned to ES256. */
export const createTokenVerifier =
  ({
    findSigningKey,
    isRevoked,
    issuer,
    audience,
    clock,
  }: {
    findSigningKey: FindSigningKey
    isRevoked: IsRevoked
    issuer: string
    audience: string
    clock: Clock
  }): VerifyToken =>
  async (authorization) => {
    if (!authorization) return { state: 'absent' }
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    const kid = token && jwt.decode(token, { complete: true })?.header.kid
    if (!token || typeof kid !== 'string') return { state: 'invalid' }
    const key = await findSigningKey(kid)
    if (!key) return { state: 'invalid' }
    const clockTimestamp = Math.floor(clock().getTime() / 1_000)
    const claims = readClaims(token, key, { issuer, audience, clockTimestamp })
    if (claims === 'expired') return { state: 'expired' }
    const caller = claims && identify(claims)
    if (!caller) return { state: 'invalid' }
    const { principal, identity } = caller
    return (await isRevoked(identity)) ? { state: 'expired' } : { state: 'valid', principal }
  }

// 404 has no meaning here: without the list no token is accepted.
const fetchRevokedTokens = async (authUrl: string) => {
  const list = await callService(authUrl, listRevokedTokens, {})
  if (!list) throw unavailable('Signing in is not possible right now. Please try again in a moment.')
  return list
}

/**
 * Creates a verifier with the keys (JWKS) that the auth service publishes. It looks at signature and expiry alone: a
 * token that has been revoked is genuine to it.
 */
export const createJwksSignatureVerifier = (
  config: z.infer<typeof tokenVerifierConfig>,
  clock: Clock,
): VerifyToken =>
  createTokenVerifier({
    findSigningKey: createFindPublishedKey(config.AUTH_JWKS_URL),
    isRevoked: () => Promise.resolve(false),
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
    clock,
  })

/** Creates a verifier with the keys (JWKS) and the list of revoked tokens that the auth service publishes. */
export const createJwksTokenVerifier = (
  config: z.infer<typeof tokenVerifierConfig>,
  clock: Clock,
): VerifyToken =>
  createTokenVerifier({
    findSigningKey: createFindPublishedKey(config.AUTH_JWKS_URL),
    isRevoked: createRevocationCheck(() => fetchRevokedTokens(config.AUTH_JWKS_URL)),
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
    clock,
  })
