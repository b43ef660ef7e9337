import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListEvents } from '../domain/list-events.ts'

export interface ListEventsDeps {
  listEvents: ListEvents
}

export const listActiveEventsRoute = ({
  listEvents,
}: ListEventsDeps): Route<typeof contracts.listActiveEvents> => ({
  ...contracts.listActiveEvents,
  handle: async () => ({ status: 200, body: { events: await listEvents('active') } }),
})

export const listUpcomingEventsRoute = ({
  listEvents,
}: ListEventsDeps): Route<typeof contracts.listUpcomingEvents> => ({
  ...contracts.listUpcomingEvents,
  handle: async () => ({ status: 200, body: { events: await listEvents('upcoming') } }),
})

export const listPastEventsRoute = ({
  listEvents,
}: ListEventsDeps): Route<typeof contracts.listPastEvents> => ({
  ...contracts.listPastEvents,
  handle: async () => ({ status: 200, body: { events: await listEvents('past') } }),
})
