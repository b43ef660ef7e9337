import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { RemoveOrganiser } from '../domain/change-organisers.ts'

export interface RemoveOrganiserDeps {
  removeOrganiser: RemoveOrganiser
}

export const removeOrganiserRoute = ({
  removeOrganiser,
}: RemoveOrganiserDeps): Route<typeof contracts.removeOrganiser> => ({
  ...contracts.removeOrganiser,
  handle: async ({ params, principal }) => {
    const event = await removeOrganiser(params.eventId, principal, params.userId)
    return { status: 200, body: { message: 'Organiser removed successfully', event } }
  },
})
