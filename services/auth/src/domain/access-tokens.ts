import type { User } from '@confetti/contracts'
import jwt from 'jsonwebtoken'
import type { SigningKeys } from './signing-keys.ts'

interface Deps {
  keys: Pick<SigningKeys, 'current'>
  issuer: string
  audience: string
  ttlSeconds: number
}

/** Issues access tokens: JWTs, signed with ES256, that carry a user's id, email address and role. */
export const makeIssueAccessToken =
  ({ keys: { current }, issuer, audience, ttlSeconds }: Deps) =>
  ({ _id, email, role }: User): string =>
    jwt.sign({ email, role }, current.privateKey, {
      algorithm: 'ES256',
      keyid: current.kid,
      subject: _id,
      issuer,
      audience,
      expiresIn: ttlSeconds,
    })
export type IssueAccessToken = ReturnType<typeof makeIssueAccessToken>
