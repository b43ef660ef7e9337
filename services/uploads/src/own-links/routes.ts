import { GUEST_KEY_HEADER, type serviceRoutes, type EventCopy } from '@confetti/contracts'
import { readHeader, type Handlers } from '@confetti/service-kit'
import type { OwnLinks } from './own-links.ts'

export const ownLinkRoutes = (ownLinks: OwnLinks) =>
  ({
    createOwnLink: async ({ guestId, body }) => ({ url: await ownLinks.create(guestId, body.eventId) }),
    getOwnLink: async ({ request }) => ({
      eventId: await ownLinks.findEventId(readHeader(request, GUEST_KEY_HEADER.toLowerCase())),
    }),
    endOwnLink: async ({ guestId, query }) => {
      await ownLinks.end(guestId, query.eventId)
      return { message: 'The link has ended.' }
    },
  }) satisfies Partial<Handlers<typeof serviceRoutes.uploads, EventCopy>>
