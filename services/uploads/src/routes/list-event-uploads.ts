import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListEventUploads } from '../domain/list-event-uploads.ts'

interface Deps {
  listEventUploads: ListEventUploads
}

export const listEventUploadsRoute = ({
  listEventUploads,
}: Deps): Route<typeof contracts.listEventUploads> => ({
  ...contracts.listEventUploads,
  handle: async ({ params, query }) => ({ status: 200, body: await listEventUploads(params.eventId, query) }),
})
