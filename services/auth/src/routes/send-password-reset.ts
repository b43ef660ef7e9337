import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { SendPasswordReset } from '../domain/send-password-reset.ts'

export interface SendPasswordResetDeps {
  sendPasswordReset: SendPasswordReset
}

export const sendPasswordResetRoute = ({
  sendPasswordReset,
}: SendPasswordResetDeps): Route<typeof contracts.sendPasswordReset> => ({
  ...contracts.sendPasswordReset,
  handle: async ({ params }) => {
    const sent = await sendPasswordReset(params.userId)
    return { status: 201, body: { message: sent.resetUrl ? 'Link created.' : 'Mail sent.', ...sent } }
  },
})
