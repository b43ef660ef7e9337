import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { Logout } from '../domain/logout.ts'

export interface LogoutDeps {
  logout: Logout
}

export const logoutRoute = ({ logout }: LogoutDeps): Route<typeof contracts.logout> => ({
  ...contracts.logout,
  handle: async ({ body }) => {
    await logout(body.refreshToken)
    return { status: 200, body: { message: 'Logged out successfully' } }
  },
})
