import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ResetPassword } from '../domain/reset-password.ts'

export interface ResetPasswordDeps {
  resetPassword: ResetPassword
}

export const resetPasswordRoute = ({
  resetPassword,
}: ResetPasswordDeps): Route<typeof contracts.resetPassword> => ({
  ...contracts.resetPassword,
  handle: async ({ body }) => {
    await resetPassword(body)
    return { status: 200, body: { message: 'Password changed. Please sign in.' } }
  },
})
