import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListRevokedTokens } from '../domain/revoked-tokens.ts'

export interface ListRevokedTokensDeps {
  listRevokedTokens: ListRevokedTokens
}

export const listRevokedTokensRoute = ({
  listRevokedTokens,
}: ListRevokedTokensDeps): Route<typeof contracts.listRevokedTokens> => ({
  ...contracts.listRevokedTokens,
  handle: async () => ({ status: 200, body: await listRevokedTokens() }),
})
