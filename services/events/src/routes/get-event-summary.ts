import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { GetEventSummary } from '../domain/get-event-summary.ts'

export interface GetEventSummaryDeps {
  getEventSummary: GetEventSummary
}

export const getEventSummaryRoute = ({
  getEventSummary,
}: GetEventSummaryDeps): Route<typeof contracts.getEventSummary> => ({
  ...contracts.getEventSummary,
  handle: async ({ params }) => ({ status: 200, body: await getEventSummary(params.eventId) }),
})
