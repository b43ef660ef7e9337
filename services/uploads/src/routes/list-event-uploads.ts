import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListEventUploads } from '../domain/list-event-uploads.ts'

export interface ListEventUploadsDeps {
  listEventUploads: ListEventUploads
}

export const listEventUploadsRoute = ({
  listEventUploads,
}: ListEventUploadsDeps): Route<typeof contracts.listEventUploads> => ({
  ...contracts.listEventUploads,
  handle: async ({ params, query }) => ({ status: 200, body: await listEventUploads(params.eventId, query) }),
})
