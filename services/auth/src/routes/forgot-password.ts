import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ForgotPassword } from '../domain/forgot-password.ts'

export interface ForgotPasswordDeps {
  forgotPassword: ForgotPassword
}

export const forgotPasswordRoute = ({
  forgotPassword,
}: ForgotPasswordDeps): Route<typeof contracts.forgotPassword> => ({
  ...contracts.forgotPassword,
  handle: async ({ body, address }) => {
    const sendsMail = await forgotPassword({ ...body, address })
    return {
      status: 202,
      body: sendsMail
        ? { message: 'If there is an account with this address, we have sent a mail to it.', mail: 'on' }
        : { message: 'Please ask an admin for help.', mail: 'off' },
    }
  },
})
