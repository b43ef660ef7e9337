import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { DeleteUpload } from '../domain/delete-upload.ts'

interface Deps {
  deleteUpload: DeleteUpload
}

export const deleteUploadRoute = ({ deleteUpload }: Deps): Route<typeof contracts.deleteUpload> => ({
  ...contracts.deleteUpload,
  handle: async ({ params }) => {
    await deleteUpload(params.uploadId)
    return { status: 200, body: { message: 'Upload deleted successfully' } }
  },
})
