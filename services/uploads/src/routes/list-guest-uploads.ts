import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListGuestUploads } from '../domain/list-guest-uploads.ts'
import { guestIdOf } from './sender.ts'

export interface ListGuestUploadsDeps {
  listGuestUploads: ListGuestUploads
}

export const listGuestUploadsRoute = ({
  listGuestUploads,
}: ListGuestUploadsDeps): Route<typeof contracts.listGuestUploads> => ({
  ...contracts.listGuestUploads,
  handle: async ({ query, request }) => ({
    status: 200,
    body: await listGuestUploads(guestIdOf(request), query),
  }),
})
