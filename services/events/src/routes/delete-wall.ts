import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { DeleteWall } from '../domain/change-wall.ts'

export interface DeleteWallDeps {
  deleteWall: DeleteWall
}

export const deleteWallRoute = ({ deleteWall }: DeleteWallDeps): Route<typeof contracts.deleteWall> => ({
  ...contracts.deleteWall,
  handle: async ({ params, principal }) => {
    await deleteWall(params.eventId, principal)
    return { status: 200, body: { message: 'Live wall ended successfully' } }
  },
})
