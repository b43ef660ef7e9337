import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { CreateEvent } from '../domain/create-event.ts'

export interface CreateEventDeps {
  createEvent: CreateEvent
  limits: contracts.EventLimits
}

export const createEventRoute = ({
  createEvent,
  limits,
}: CreateEventDeps): Route<typeof contracts.createEvent> => ({
  ...contracts.createEvent,
  body: contracts.newEvent(limits),
  handle: async ({ body }) => {
    const event = await createEvent(body)
    return { status: 201, body: { message: 'Event created successfully', event } }
  },
})
