import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { CompleteUploads } from '../domain/complete-uploads.ts'

export interface CompleteUploadsDeps {
  completeUploads: CompleteUploads
}

export const completeUploadsRoute = ({
  completeUploads,
}: CompleteUploadsDeps): Route<typeof contracts.completeUploads> => ({
  ...contracts.completeUploads,
  handle: async ({ body: { tickets } }) => {
    const { uploads, rejected } = await completeUploads(tickets)
    return {
      status: 201,
      body: {
        message: uploads.length > 0 ? 'Media uploaded successfully.' : 'No file has been stored.',
        uploads,
        rejected: rejected.map(({ error: { code, message }, ...file }) => ({ ...file, code, message })),
      },
    }
  },
})
