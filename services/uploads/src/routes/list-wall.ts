import * as contracts from '@confetti/contracts'
import { readHeader, type Route } from '@confetti/service-kit'
import type { ListWall } from '../domain/list-gallery.ts'

export interface ListWallDeps {
  listWall: ListWall
}

export const listWallRoute = ({ listWall }: ListWallDeps): Route<typeof contracts.listWall> => ({
  ...contracts.listWall,
  handle: async ({ params, query, request }) => ({
    status: 200,
    body: await listWall(params.eventId, readHeader(request, contracts.WALL_KEY_HEADER.toLowerCase()), query),
  }),
})
