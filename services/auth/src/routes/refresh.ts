import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { Refresh } from '../domain/refresh.ts'

export const refreshRoute = ({ refresh }: { refresh: Refresh }): Route<typeof contracts.refresh> => ({
  ...contracts.refresh,
  handle: async ({ body }) => ({ status: 200, body: await refresh(body.refreshToken) }),
})
