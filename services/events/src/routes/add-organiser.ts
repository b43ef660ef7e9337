import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { AddOrganiser } from '../domain/change-organisers.ts'
import type { FindManagedEvent } from '../domain/find-event.ts'

export interface AddOrganiserDeps {
  findManagedEvent: FindManagedEvent
  addOrganiser: AddOrganiser
}

export const addOrganiserRoute = ({
  findManagedEvent,
  addOrganiser,
}: AddOrganiserDeps): Route<typeof contracts.addOrganiser> => ({
  ...contracts.addOrganiser,
  checkAccess: ({ params, principal }) => findManagedEvent(params.eventId, principal),
  handle: async ({ params, principal, body }) => {
    const event = await addOrganiser(params.eventId, principal, body.email)
    return { status: 201, body: { message: 'Organiser added successfully', event } }
  },
})
