import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListMyEvents } from '../domain/list-my-events.ts'

interface Deps {
  listMyEvents: ListMyEvents
}

export const listMyEventsRoute = ({ listMyEvents }: Deps): Route<typeof contracts.listMyEvents> => ({
  ...contracts.listMyEvents,
  handle: async ({ principal }) => ({
    status: 200,
    body: { events: await listMyEvents(principal.userId) },
  }),
})
