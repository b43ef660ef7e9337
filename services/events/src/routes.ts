import {
  eventChange,
  getEventCopy,
  getEventIdByCode,
  getEventPin,
  listChangedEvents,
  newEvent,
  serviceRoutes,
  type EventLimits,
} from '@confetti/contracts'
import type { Handlers } from '@confetti/service-kit'
import type { Capabilities } from './capabilities.ts'
import type { StoredEvent } from './event.ts'

/** The contracts of the service with the configured limits of texts. */
export const eventContracts = (limits: EventLimits) => ({
  ...serviceRoutes.events,
  createEvent: { ...serviceRoutes.events.createEvent, body: newEvent(limits) },
  updateEvent: { ...serviceRoutes.events.updateEvent, body: eventChange(limits) },
  getEventCopy,
  getEventIdByCode,
  getEventPin,
  listChangedEvents,
})

export const eventRoutes = ({
  viewing,
  managing,
  inviting,
}: Capabilities): Handlers<ReturnType<typeof eventContracts>, StoredEvent> => ({
  listActiveEvents: async () => ({ events: await viewing.listByPhase('active') }),
  listUpcomingEvents: async () => ({ events: await viewing.listByPhase('upcoming') }),
  listPastEvents: async () => ({ events: await viewing.listByPhase('past') }),
  listMyEvents: async ({ principal }) => ({ events: await viewing.listOfOrganiser(principal.userId) }),
  getEvent: async ({ params, principal }) => {
    const event = await viewing.get(params.eventId, principal)
    // Clients may expect the event at the top level or under `event`: the response has both.
    return { ...event, event }
  },
  getEventCopy: ({ params }) => viewing.getEventCopy(params.eventId),
  getEventIdByCode: async ({ params }) => ({ eventId: await viewing.getIdByCode(params.code) }),
  getEventPin: ({ params }) => viewing.getPin(params.eventId),
  listChangedEvents: ({ query }) => viewing.listChanges(query.since),

  createEvent: async ({ body }) => ({
    message: 'Event created successfully',
    event: await managing.create(body),
  }),
  updateEvent: async ({ event, principal, body }) => ({
    message: 'Event changed successfully',
    event: await managing.update(event, principal, body),
  }),
  deleteEvent: async ({ event }) => {
    await managing.deleteEvent(event)
    return { message: 'Event deleted successfully' }
  },
  removeOrganiser: async ({ event, principal, params }) => ({
    message: 'Organiser removed successfully',
    event: await managing.removeOrganiser(event, principal, params.userId),
  }),
  createQrCode: ({ event }) => managing.createQrCode(event),
  createWall: async ({ event, principal }) => ({
    message: 'Live wall created successfully',
    url: await managing.createWall(event, principal),
  }),
  deleteWall: async ({ event, principal }) => {
    await managing.deleteWall(event, principal)
    return { message: 'Live wall ended successfully' }
  },

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
})
