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
import type { StoredEvent } from '../event.ts'
import type { Managing } from './managing.ts'

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
export type EventRoutes = ReturnType<typeof eventContracts>

export const managingRoutes = (managing: Managing) =>
  ({
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
  }) satisfies Partial<Handlers<EventRoutes, StoredEvent>>
