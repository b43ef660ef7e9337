import type { User } from '@confetti/contracts'
import jwt from 'jsonwebtoken'
import type { SigningKeys } from './signing-keys.ts'

/** Issues access tokens: ES256 JWTs that say who somebody is, for `seconds`. */
export const createAccessTokens =
  ({
    keys: { current },
    issuer,
    audience,
    seconds,
  }: {
    keys: Pick<SigningKeys, 'current'>
    issuer: string
    audience: string
    seconds: number
  }) =>
  ({ _id, email, role }: User): string =>
    jwt.sign({ email, role }, current.privateKey, {
      algorithm: 'ES256',
      keyid: current.kid,
      subject: _id,
      issuer,
      audience,
      expiresIn: seconds,
    })
export type IssueAccessToken = ReturnType<typeof createAccessTokens>
