import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { CreateMyEventArchive } from '../archive/create-archive.ts'
import type { FindOwnEvent } from '../domain/find-event.ts'

export interface CreateMyEventArchiveDeps {
  findOwnEvent: FindOwnEvent
  createMyEventArchive: CreateMyEventArchive
}

export const createMyEventArchiveRoute = ({
  findOwnEvent,
  createMyEventArchive,
}: CreateMyEventArchiveDeps): Route<typeof contracts.createMyEventArchive> => ({
  ...contracts.createMyEventArchive,
  checkAccess: ({ params, principal }) => findOwnEvent(principal.userId, params.eventId),
  handle: async ({ params, body, principal, baseUrl }) => ({
    status: 201,
    body: await createMyEventArchive(principal.userId, params.eventId, body, baseUrl),
  }),
})
