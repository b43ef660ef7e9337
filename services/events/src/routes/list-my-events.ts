import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListMyEvents } from '../domain/list-my-events.ts'

export interface ListMyEventsDeps {
  listMyEvents: ListMyEvents
}

export const listMyEventsRoute = ({
  listMyEvents,
}: ListMyEventsDeps): Route<typeof contracts.listMyEvents> => ({
  ...contracts.listMyEvents,
  handle: async ({ principal }) => ({
    status: 200,
    body: { events: await listMyEvents(principal.userId) },
  }),
})
