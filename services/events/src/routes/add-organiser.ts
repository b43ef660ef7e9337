import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { AddOrganiser } from '../domain/change-organisers.ts'

export interface AddOrganiserDeps {
  addOrganiser: AddOrganiser
}

export const addOrganiserRoute = ({
  addOrganiser,
}: AddOrganiserDeps): Route<typeof contracts.addOrganiser> => ({
  ...contracts.addOrganiser,
  handle: async ({ params, principal, body }) => {
    const event = await addOrganiser(params.eventId, principal, body.email)
    return { status: 201, body: { message: 'Organiser added successfully', event } }
  },
})
