import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { LogoutAll } from '../domain/logout-all.ts'

export interface LogoutAllDeps {
  logoutAll: LogoutAll
}

export const logoutAllRoute = ({ logoutAll }: LogoutAllDeps): Route<typeof contracts.logoutAll> => ({
  ...contracts.logoutAll,
  handle: async ({ principal }) => {
    await logoutAll(principal.userId)
    return { status: 200, body: { message: 'Signed out everywhere.' } }
  },
})
