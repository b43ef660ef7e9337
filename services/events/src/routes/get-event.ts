import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { GetEvent } from '../domain/get-event.ts'

interface Deps {
  getEvent: GetEvent
}

export const getEventRoute = ({ getEvent }: Deps): Route<typeof contracts.getEvent> => ({
  ...contracts.getEvent,
  handle: async ({ params, principal }) => {
    const event = await getEvent(params.eventId, principal)
    // The specification allows two readings, the event itself and one wrapped under `event`: both hold.
    return { status: 200, body: { ...event, event } }
  },
})
