import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { DeleteMyUpload } from '../domain/delete-upload.ts'

export interface DeleteMyUploadDeps {
  deleteMyUpload: DeleteMyUpload
}

export const deleteMyUploadRoute = ({
  deleteMyUpload,
}: DeleteMyUploadDeps): Route<typeof contracts.deleteMyUpload> => ({
  ...contracts.deleteMyUpload,
  handle: async ({ params, principal }) => {
    await deleteMyUpload(principal.userId, params.eventId, params.uploadId)
    return { status: 200, body: { message: 'Upload deleted successfully' } }
  },
})
