import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { FindArchive } from '../archive/find-archive.ts'
import type { SendArchive } from '../archive/send-archive.ts'

export interface DownloadArchiveDeps {
  findArchive: FindArchive
  sendArchive: SendArchive
}

export const downloadArchiveRoute = ({
  findArchive,
  sendArchive,
}: DownloadArchiveDeps): Route<typeof contracts.downloadArchive> => ({
  ...contracts.downloadArchive,
  handle: async ({ params, request, response }) => {
    await sendArchive(await findArchive(params.token, params.filename), request, response)
    return undefined
  },
})
