import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { CreateMyEventArchive } from '../archive/create-archive.ts'

export interface CreateMyEventArchiveDeps {
  createMyEventArchive: CreateMyEventArchive
}

export const createMyEventArchiveRoute = ({
  createMyEventArchive,
}: CreateMyEventArchiveDeps): Route<typeof contracts.createMyEventArchive> => ({
  ...contracts.createMyEventArchive,
  handle: async ({ params, body, principal, baseUrl }) => ({
    status: 201,
    body: await createMyEventArchive(principal.userId, params.eventId, body, baseUrl),
  }),
})
