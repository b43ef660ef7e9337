import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { SetMyUploadsVisibility } from '../domain/set-visibility.ts'
import type { FindOwnEvent } from '../domain/find-event.ts'

export interface SetMyUploadsVisibilityDeps {
  findOwnEvent: FindOwnEvent
  setMyUploadsVisibility: SetMyUploadsVisibility
}

export const setMyUploadsVisibilityRoute = ({
  findOwnEvent,
  setMyUploadsVisibility,
}: SetMyUploadsVisibilityDeps): Route<typeof contracts.setMyUploadsVisibility> => ({
  ...contracts.setMyUploadsVisibility,
  checkAccess: ({ params, principal }) => findOwnEvent(principal.userId, params.eventId),
  handle: async ({ params, body, principal }) => {
    const uploadIds = await setMyUploadsVisibility(principal.userId, params.eventId, body)
    return { status: 200, body: { message: 'Uploads changed successfully', uploadIds } }
  },
})
