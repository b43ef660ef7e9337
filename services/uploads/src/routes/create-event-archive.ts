import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { CreateEventArchive } from '../archive/create-archive.ts'

export interface CreateEventArchiveDeps {
  createEventArchive: CreateEventArchive
}

export const createEventArchiveRoute = ({
  createEventArchive,
}: CreateEventArchiveDeps): Route<typeof contracts.createEventArchive> => ({
  ...contracts.createEventArchive,
  handle: async ({ params, body, baseUrl }) => ({
    status: 201,
    body: await createEventArchive(params.eventId, body, baseUrl),
  }),
})
