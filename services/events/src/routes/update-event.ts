import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { UpdateEvent } from '../domain/update-event.ts'
import type { FindManagedEvent } from '../domain/find-event.ts'

export interface UpdateEventDeps {
  findManagedEvent: FindManagedEvent
  updateEvent: UpdateEvent
  limits: contracts.EventLimits
}

export const updateEventRoute = ({
  findManagedEvent,
  updateEvent,
  limits,
}: UpdateEventDeps): Route<typeof contracts.updateEvent> => ({
  ...contracts.updateEvent,
  body: contracts.eventChange(limits),
  checkAccess: ({ params, principal }) => findManagedEvent(params.eventId, principal),
  handle: async ({ params, principal, body }) => {
    const event = await updateEvent(params.eventId, principal, body)
    return { status: 200, body: { message: 'Event changed successfully', event } }
  },
})
