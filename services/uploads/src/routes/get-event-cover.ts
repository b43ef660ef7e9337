import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { GetEventCover } from '../domain/get-event-cover.ts'

export interface GetEventCoverDeps {
  getEventCover: GetEventCover
}

export const getEventCoverRoute = ({
  getEventCover,
}: GetEventCoverDeps): Route<typeof contracts.getEventCover> => ({
  ...contracts.getEventCover,
  handle: async ({ params }) => ({ status: 200, body: await getEventCover(params.eventId) }),
})
