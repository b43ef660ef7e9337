import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ChangePassword } from '../domain/change-password.ts'

export interface ChangePasswordDeps {
  changePassword: ChangePassword
}

export const changePasswordRoute = ({
  changePassword,
}: ChangePasswordDeps): Route<typeof contracts.changePassword> => ({
  ...contracts.changePassword,
  handle: async ({ body, principal, address }) => {
    const tokens = await changePassword({ ...body, userId: principal.userId, address })
    return { status: 200, body: { message: 'Password changed.', ...tokens } }
  },
})
