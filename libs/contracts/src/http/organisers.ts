import { z } from 'zod'
import { eventId, invitationId, userId } from '../ids.ts'
import { defineRoute } from '../route-contract.ts'
import { newEmailAddress } from './auth.ts'
import { messageResponse } from './errors.ts'
import { changedEvent, event, organiserInvitation } from './events.ts'

export const inviteOrganiser = defineRoute({
  method: 'post',
  path: '/api/events/{eventId}/organisers',
  summary:
    'Invite somebody by email address to organise an event. An earlier link to this address stops working',
  access: 'manager',
  params: z.object({ eventId }),
  body: z.object({ email: newEmailAddress('Email is required.') }),
  responses: {
    202: messageResponse.extend({
      invitation: organiserInvitation.extend({
        /** The link to pass on; only where the system sends no mail. */
        url: z.url().optional(),
      }),
    }),
  },
  errors: [409],
})

export const withdrawOrganiserInvitation = defineRoute({
  method: 'delete',
  path: '/api/events/{eventId}/organiser-invitations/{invitationId}',
  summary: 'Withdraw an invitation to organise an event: its link stops working',
  access: 'manager',
  params: z.object({ eventId, invitationId }),
  responses: { 200: changedEvent },
})

const invitationToken = z.object({ token: z.string({ error: 'This link is no longer valid.' }) })

/** By POST, so that no log contains the token. */
export const readOrganiserInvitation = defineRoute({
  method: 'post',
  path: '/api/organiser-invitations/details',
  summary: 'Tell which event the token of an invitation is for, and who has sent it, whoever is signed in',
  access: 'member',
  body: invitationToken,
  responses: {
    200: z.object({
      event: event.pick({ _id: true, name: true, startDate: true, endDate: true }),
      /** The email address of whoever has sent it. */
      invitedBy: z.string(),
      /** The email address that it was sent to. */
      email: z.string(),
    }),
  },
  errors: [404],
  notFoundCode: 'link_invalid',
})

export const acceptOrganiserInvitation = defineRoute({
  method: 'post',
  path: '/api/organiser-invitations',
  summary: 'Become an organiser of an event by the token of an invitation, whoever is signed in',
  access: 'member',
  body: invitationToken,
  responses: { 200: z.object({ event }) },
  errors: [404, 409],
  notFoundCode: 'link_invalid',
})

export const removeOrganiser = defineRoute({
  method: 'delete',
  path: '/api/events/{eventId}/organisers/{userId}',
  summary: 'Remove an organiser from an event',
  access: 'manager',
  params: z.object({ eventId, userId }),
  responses: { 200: changedEvent },
  errors: [409],
})

export const organisersRoutes = {
  inviteOrganiser,
  withdrawOrganiserInvitation,
  readOrganiserInvitation,
  acceptOrganiserInvitation,
  removeOrganiser,
}
