import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { CreateEvent } from '../domain/create-event.ts'

interface Deps {
  createEvent: CreateEvent
  limits: Parameters<typeof contracts.newEvent>[0]
}

export const createEventRoute = ({ createEvent, limits }: Deps): Route<typeof contracts.createEvent> => ({
  ...contracts.createEvent,
  body: contracts.newEvent(limits),
  handle: async ({ body }) => {
    const event = await createEvent(body)
    return { status: 201, body: { message: 'Event created successfully', event } }
  },
})
