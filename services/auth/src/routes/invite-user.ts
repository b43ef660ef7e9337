import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { InviteUser } from '../domain/invite-user.ts'

export interface InviteUserDeps {
  inviteUser: InviteUser
}

export const inviteUserRoute = ({ inviteUser }: InviteUserDeps): Route<typeof contracts.inviteUser> => ({
  ...contracts.inviteUser,
  handle: async ({ body, principal }) => {
    const invited = await inviteUser({ ...body, invitedBy: principal.userId })
    const message = invited.invitationUrl ? 'Account created.' : 'Invitation sent.'
    return { status: 201, body: { message, ...invited } }
  },
})
