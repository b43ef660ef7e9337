import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { GetEvent } from '../domain/get-event.ts'

export interface GetEventDeps {
  getEvent: GetEvent
}

export const getEventRoute = ({ getEvent }: GetEventDeps): Route<typeof contracts.getEvent> => ({
  ...contracts.getEvent,
  handle: async ({ params, principal }) => {
    const event = await getEvent(params.eventId, principal)
    // Clients may expect the event at the top level or under `event`: the response has both.
    return { status: 200, body: { ...event, event } }
  },
})
