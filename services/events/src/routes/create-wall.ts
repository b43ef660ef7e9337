import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { CreateWall } from '../domain/change-wall.ts'

export interface CreateWallDeps {
  createWall: CreateWall
}

export const createWallRoute = ({ createWall }: CreateWallDeps): Route<typeof contracts.createWall> => ({
  ...contracts.createWall,
  handle: async ({ params, principal }) => {
    const url = await createWall(params.eventId, principal)
    return { status: 201, body: { message: 'Live wall created successfully', url } }
  },
})
