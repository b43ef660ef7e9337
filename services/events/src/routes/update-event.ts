import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { UpdateEvent } from '../domain/update-event.ts'

export interface UpdateEventDeps {
  updateEvent: UpdateEvent
  limits: contracts.EventLimits
}

export const updateEventRoute = ({
  updateEvent,
  limits,
}: UpdateEventDeps): Route<typeof contracts.updateEvent> => ({
  ...contracts.updateEvent,
  body: contracts.eventChange(limits),
  handle: async ({ params, principal, body }) => {
    const event = await updateEvent(params.eventId, principal, body)
    return { status: 200, body: { message: 'Event changed successfully', event } }
  },
})
