import type { KeyObject } from 'node:crypto'
import { createPublicKey } from 'node:crypto'
import type { Role } from '@confetti/contracts'
import jwt from 'jsonwebtoken'
import { JwksClient, SigningKeyNotFoundError } from 'jwks-rsa'
import type { z } from 'zod'
import type { tokenCheckConfig } from './config.ts'
import { unavailable } from './errors.ts'

/** Who makes a call. */
export interface Principal {
  userId: string
  email: string
  role: Role
}

export type TokenVerdict =
  | { state: 'valid'; principal: Principal }
  | { state: 'absent' | 'invalid' }
  /** Genuine, but its time is over: the caller should refresh. */
  | { state: 'expired' }

/** The public key with this id, or nothing if the auth service never published it. */
export type KeyFor = (kid: string) => Promise<KeyObject | undefined>

/** Looks keys up at the auth service, and keeps them. Throws `unavailable` while that is away. */
const publishedKeys = (jwksUrl: string): KeyFor => {
  const client = new JwksClient({
    jwksUri: jwksUrl,
    timeout: 3_000,
    // Keys hardly ever vanish, and tokens live for minutes: better an old key than nobody signed in.
    cacheMaxAge: 24 * 3_600_000,
    cacheMaxEntries: 50,
    rateLimit: true,
    jwksRequestsPerMinute: 30,
  })
  return async (kid) => {
    try {
      return createPublicKey((await client.getSigningKey(kid)).getPublicKey())
    } catch (error) {
      if (error instanceof SigningKeyNotFoundError) return undefined
      throw unavailable('Signing in is not possible right now. Please try again in a moment.', 2, error)
    }
  }
}

const principalOf = (claims: jwt.JwtPayload): Principal | undefined => {
  const { sub, email, role } = claims as { sub?: unknown; email?: unknown; role?: unknown }
  if (typeof sub !== 'string' || typeof email !== 'string') return undefined
  // "A user with no role is treated as user."
  return { userId: sub, email, role: role === 'admin' ? 'admin' : 'user' }
}

export type TokenCheck = (authorization: string | undefined) => Promise<TokenVerdict>

/** Judges the value of an Authorization header. The algorithm is pinned to ES256. */
export const createTokenCheck =
  ({ keyFor, issuer, audience }: { keyFor: KeyFor; issuer: string; audience: string }): TokenCheck =>
  async (authorization) => {
    if (!authorization) return { state: 'absent' }
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    const kid = token && jwt.decode(token, { complete: true })?.header.kid
    if (!token || typeof kid !== 'string') return { state: 'invalid' }
    const key = await keyFor(kid)
    if (!key) return { state: 'invalid' }
    try {
      const claims = jwt.verify(token, key, { algorithms: ['ES256'], issuer, audience })
      const principal = typeof claims === 'string' ? undefined : principalOf(claims)
      return principal ? { state: 'valid', principal } : { state: 'invalid' }
    } catch (error) {
      // The signature is judged first, so an expired token is a genuine one.
      return { state: error instanceof jwt.TokenExpiredError ? 'expired' : 'invalid' }
    }
  }

/** Judges tokens by the keys that the auth service publishes, as a service's configuration says. */
export const createPublishedTokenCheck = (config: z.infer<typeof tokenCheckConfig>): TokenCheck =>
  createTokenCheck({
    keyFor: publishedKeys(config.AUTH_JWKS_URL),
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
  })
