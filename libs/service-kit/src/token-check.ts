import type { KeyObject } from 'node:crypto'
import { createPublicKey } from 'node:crypto'
import type { Role } from '@confetti/contracts'
import jwt from 'jsonwebtoken'
import { z } from 'zod'
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

const publishedKeySet = z.object({
  keys: z.array(z.looseObject({ kid: z.string(), kty: z.literal('EC') })),
})

// An unknown key id is a new key or a forgery; however many forgeries come, the auth service is asked this often.
const ASK_AGAIN_AFTER_MS = 5_000
// A key that was withdrawn is forgotten within this time.
const RENEW_AFTER_MS = 600_000

const fetchKeys = async (jwksUrl: string): Promise<Map<string, KeyObject>> => {
  const response = await fetch(jwksUrl, { signal: AbortSignal.timeout(3_000) })
  if (!response.ok) throw new Error(`${jwksUrl} answered ${response.status}`)
  const { keys } = publishedKeySet.parse(await response.json())
  return new Map(keys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]))
}

/**
 * Looks keys up at the auth service, and keeps them. Throws `unavailable` while no key is known because that is
 * away; once some are known, tokens signed by others are just not ours.
 */
const publishedKeys = (jwksUrl: string): KeyFor => {
  let keys = new Map<string, KeyObject>()
  let asked = -Infinity
  let asking: Promise<void> = Promise.resolve()

  const ask = async (): Promise<void> => {
    try {
      keys = await fetchKeys(jwksUrl)
    } catch (error) {
      if (keys.size > 0) return
      asked = -Infinity
      throw unavailable('Signing in is not possible right now. Please try again in a moment.', 2, error)
    }
  }
  return async (kid) => {
    const age = performance.now() - asked
    if (age > (keys.has(kid) ? RENEW_AFTER_MS : ASK_AGAIN_AFTER_MS)) {
      asked = performance.now()
      asking = ask()
    }
    if (!keys.has(kid)) await asking
    return keys.get(kid)
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
