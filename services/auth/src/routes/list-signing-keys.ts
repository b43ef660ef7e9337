import { defineRoute } from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import { z } from 'zod'
import { publicJwk, type PublicJwk } from '../domain/signing-keys.ts'

/** The JWK Set (RFC 7517) that services verify access tokens with. It is not part of the public API. */
export const listSigningKeys = defineRoute({
  method: 'get',
  path: '/.well-known/jwks.json',
  summary: 'The public keys that access tokens are verified with',
  access: 'anyone',
  responses: { 200: z.object({ keys: z.array(publicJwk) }) },
})

export interface ListSigningKeysDeps {
  publishedKeys: PublicJwk[]
}

export const listSigningKeysRoute = ({
  publishedKeys,
}: ListSigningKeysDeps): Route<typeof listSigningKeys> => ({
  ...listSigningKeys,
  handle: () => Promise.resolve({ status: 200, body: { keys: publishedKeys } }),
})
