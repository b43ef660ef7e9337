import type { Handlers } from '@confetti/service-kit'
import type { StoredEvent } from '../event.ts'
import type { EventRoutes } from '../managing/routes.ts'
import type { Inviting } from './inviting.ts'

export const invitingRoutes = (inviting: Inviting) =>
  ({
    inviteOrganiser: async ({ event, principal, body }) => ({
      message: 'Organiser invited successfully',
      invitation: await inviting.invite(event, principal, body.email),
    }),
    withdrawOrganiserInvitation: async ({ event, principal, params }) => ({
      message: 'Invitation withdrawn successfully',
      event: await inviting.withdraw(event, principal, params.invitationId),
    }),
    readOrganiserInvitation: ({ body }) => inviting.read(body.token),
    acceptOrganiserInvitation: async ({ principal, body }) => ({
      event: await inviting.accept(principal, body.token),
    }),
  }) satisfies Partial<Handlers<EventRoutes, StoredEvent>>
