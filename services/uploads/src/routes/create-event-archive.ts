import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { CreateEventArchive } from '../archive/create-archive.ts'
import type { FindEvent } from '../domain/find-event.ts'

export interface CreateEventArchiveDeps {
  findEvent: FindEvent
  createEventArchive: CreateEventArchive
}

export const createEventArchiveRoute = ({
  findEvent,
  createEventArchive,
}: CreateEventArchiveDeps): Route<typeof contracts.createEventArchive> => ({
  ...contracts.createEventArchive,
  checkAccess: ({ params }) => findEvent(params.eventId),
  handle: async ({ params, body, baseUrl }) => ({
    status: 201,
    body: await createEventArchive(params.eventId, body, baseUrl),
  }),
})
