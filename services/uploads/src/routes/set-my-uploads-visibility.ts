import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { SetMyUploadsVisibility } from '../domain/set-visibility.ts'

export interface SetMyUploadsVisibilityDeps {
  setMyUploadsVisibility: SetMyUploadsVisibility
}

export const setMyUploadsVisibilityRoute = ({
  setMyUploadsVisibility,
}: SetMyUploadsVisibilityDeps): Route<typeof contracts.setMyUploadsVisibility> => ({
  ...contracts.setMyUploadsVisibility,
  handle: async ({ params, body, principal }) => {
    const uploadIds = await setMyUploadsVisibility(principal.userId, params.eventId, body)
    return { status: 200, body: { message: 'Uploads changed successfully', uploadIds } }
  },
})
