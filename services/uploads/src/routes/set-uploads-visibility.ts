import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { SetUploadsVisibility } from '../domain/set-visibility.ts'

export interface SetUploadsVisibilityDeps {
  setUploadsVisibility: SetUploadsVisibility
}

export const setUploadsVisibilityRoute = ({
  setUploadsVisibility,
}: SetUploadsVisibilityDeps): Route<typeof contracts.setUploadsVisibility> => ({
  ...contracts.setUploadsVisibility,
  handle: async ({ params, body }) => {
    const uploadIds = await setUploadsVisibility(params.eventId, body)
    return { status: 200, body: { message: 'Uploads changed successfully', uploadIds } }
  },
})
