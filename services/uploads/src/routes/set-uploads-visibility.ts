import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { SetUploadsVisibility } from '../domain/set-visibility.ts'
import type { FindEvent } from '../domain/find-event.ts'

export interface SetUploadsVisibilityDeps {
  findEvent: FindEvent
  setUploadsVisibility: SetUploadsVisibility
}

export const setUploadsVisibilityRoute = ({
  findEvent,
  setUploadsVisibility,
}: SetUploadsVisibilityDeps): Route<typeof contracts.setUploadsVisibility> => ({
  ...contracts.setUploadsVisibility,
  checkAccess: ({ params }) => findEvent(params.eventId),
  handle: async ({ params, body }) => {
    const uploadIds = await setUploadsVisibility(params.eventId, body)
    return { status: 200, body: { message: 'Uploads changed successfully', uploadIds } }
  },
})
