import type { Clock } from '@confetti/service-kit'
import jwt from 'jsonwebtoken'
import type { SigningKeys } from './signing-keys.ts'
import type { Account } from './user.ts'

interface Deps {
  keys: Pick<SigningKeys, 'current'>
  issuer: string
  audience: string
  ttlSeconds: number
  clock: Clock
}

/**
 * Issues access tokens: JWTs, signed with ES256, that carry a user's id, email address and role, and the revision of the
 * account, by which they can be revoked.
 */
export const makeIssueAccessToken =
  ({ keys: { current }, issuer, audience, ttlSeconds, clock }: Deps) =>
  ({ user: { _id, email, role }, revision }: Pick<Account, 'user' | 'revision'>): string =>
    jwt.sign({ email, role, revision, iat: Math.floor(clock().getTime() / 1_000) }, current.privateKey, {
      algorithm: 'ES256',
      keyid: current.kid,
      subject: _id,
      issuer,
      audience,
      expiresIn: ttlSeconds,
    })
export type IssueAccessToken = ReturnType<typeof makeIssueAccessToken>
