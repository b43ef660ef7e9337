import type { Handlers } from '@confetti/service-kit'
import type { StoredEvent } from '../event.ts'
import type { EventRoutes } from '../managing/routes.ts'
import type { Viewing } from './viewing.ts'

export const viewingRoutes = (viewing: Viewing) =>
  ({
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
  }) satisfies Partial<Handlers<EventRoutes, StoredEvent>>
