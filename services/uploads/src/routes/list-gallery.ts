import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { ListGallery } from '../domain/list-gallery.ts'

export interface ListGalleryDeps {
  listGallery: ListGallery
}

export const listGalleryRoute = ({ listGallery }: ListGalleryDeps): Route<typeof contracts.listGallery> => ({
  ...contracts.listGallery,
  handle: async ({ params, query }) => ({ status: 200, body: await listGallery(params.eventId, query) }),
})
