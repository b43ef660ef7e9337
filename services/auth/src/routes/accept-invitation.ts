import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { AcceptInvitation } from '../domain/accept-invitation.ts'

export interface AcceptInvitationDeps {
  acceptInvitation: AcceptInvitation
}

export const acceptInvitationRoute = ({
  acceptInvitation,
}: AcceptInvitationDeps): Route<typeof contracts.acceptInvitation> => ({
  ...contracts.acceptInvitation,
  handle: async ({ body, languages }) => {
    await acceptInvitation({ ...body, language: contracts.matchLocale(languages) })
    return { status: 200, body: { message: 'Your account is ready. Please sign in.' } }
  },
})
