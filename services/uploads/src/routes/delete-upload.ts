import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { DeleteUpload } from '../domain/delete-upload.ts'

export interface DeleteUploadDeps {
  deleteUpload: DeleteUpload
}

export const deleteUploadRoute = ({
  deleteUpload,
}: DeleteUploadDeps): Route<typeof contracts.deleteUpload> => ({
  ...contracts.deleteUpload,
  handle: async ({ params }) => {
    await deleteUpload(params.uploadId)
    return { status: 200, body: { message: 'Upload deleted successfully' } }
  },
})
