import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListWall } from '../domain/list-gallery.ts'
import { headerOf } from './sender.ts'

export interface ListWallDeps {
  listWall: ListWall
}

export const listWallRoute = ({ listWall }: ListWallDeps): Route<typeof contracts.listWall> => ({
  ...contracts.listWall,
  handle: async ({ params, query, request }) => ({
    status: 200,
    body: await listWall(params.eventId, headerOf(request, contracts.WALL_KEY_HEADER.toLowerCase()), query),
  }),
})
