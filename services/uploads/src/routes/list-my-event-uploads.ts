import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListMyEventUploads } from '../domain/list-event-uploads.ts'

export interface ListMyEventUploadsDeps {
  listMyEventUploads: ListMyEventUploads
}

export const listMyEventUploadsRoute = ({
  listMyEventUploads,
}: ListMyEventUploadsDeps): Route<typeof contracts.listMyEventUploads> => ({
  ...contracts.listMyEventUploads,
  handle: async ({ params, query, principal }) => ({
    status: 200,
    body: await listMyEventUploads(principal.userId, params.eventId, query),
  }),
})
