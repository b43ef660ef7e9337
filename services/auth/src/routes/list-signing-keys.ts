import { defineRoute } from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import { z } from 'zod'
import { publicJwk, type PublicJwk } from '../domain/signing-keys.ts'

/** Its shape is RFC 7517's, not ours, and only token checks read it. */
export const listSigningKeys = defineRoute({
  method: 'get',
  path: '/.well-known/jwks.json',
  summary: 'The public halves of the keys that sign access tokens',
  access: 'anyone',
  responses: { 200: z.object({ keys: z.array(publicJwk) }) },
})

export const listSigningKeysRoute = ({
  publishedKeys,
}: {
  publishedKeys: PublicJwk[]
}): Route<typeof listSigningKeys> => ({
  ...listSigningKeys,
  handle: () => Promise.resolve({ status: 200, body: { keys: publishedKeys } }),
})
