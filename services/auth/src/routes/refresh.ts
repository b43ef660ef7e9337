import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { Refresh } from '../domain/refresh.ts'

export interface RefreshDeps {
  refresh: Refresh
}

export const refreshRoute = ({ refresh }: RefreshDeps): Route<typeof contracts.refresh> => ({
  ...contracts.refresh,
  handle: async ({ body }) => ({ status: 200, body: await refresh(body.refreshToken) }),
})
