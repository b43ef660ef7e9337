import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { DeleteGuestUpload } from '../domain/delete-upload.ts'
import { guestIdOf } from './sender.ts'

export interface DeleteGuestUploadDeps {
  deleteGuestUpload: DeleteGuestUpload
}

export const deleteGuestUploadRoute = ({
  deleteGuestUpload,
}: DeleteGuestUploadDeps): Route<typeof contracts.deleteGuestUpload> => ({
  ...contracts.deleteGuestUpload,
  handle: async ({ params, request }) => {
    await deleteGuestUpload(guestIdOf(request), params.uploadId)
    return { status: 200, body: { message: 'Upload deleted successfully' } }
  },
})
