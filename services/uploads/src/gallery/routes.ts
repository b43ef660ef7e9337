import {
  WALL_KEY_HEADER,
  type EventCopy,
  type getCoverPicture,
  type serviceRoutes,
} from '@confetti/contracts'
import { addressKey, readHeader, type Handlers } from '@confetti/service-kit'
import { toFeedQuery } from '../feed/feed.ts'
import type { Gallery } from './gallery.ts'

export const galleryRoutes = (gallery: Gallery) =>
  ({
    listGallery: ({ params, query, request }) => gallery.list(params.eventId, toFeedQuery(query, request)),
    listGalleryCredits: async ({ params }) => ({ credits: await gallery.listCredits(params.eventId) }),
    listWall: ({ params, query, request }) => {
      const key = readHeader(request, WALL_KEY_HEADER.toLowerCase())
      return gallery.listForWall(params.eventId, key, toFeedQuery(query, request))
    },
    getEventCover: ({ params }) => gallery.findCover(params.eventId),
    getCoverPicture: async ({ params }) => ({
      jpeg: (await gallery.readCoverPicture(params.eventId)).toString('base64'),
    }),
    reportUpload: {
      check: ({ params }) => gallery.getOpen(params.eventId),
      handle: async ({ params, guestId, address }) => {
        const reporter = { guestId, address: addressKey(address) }
        await gallery.report(reporter, params.eventId, params.uploadId)
        return { message: 'Thank you for your report.' }
      },
    },
  }) satisfies Partial<
    Handlers<typeof serviceRoutes.uploads & { getCoverPicture: typeof getCoverPicture }, EventCopy>
  >
