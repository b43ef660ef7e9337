import { z } from 'zod'
import { eventId, shortCode, userId } from '../ids.ts'
import { userChangedV1 } from '../messages/auth.ts'
import { eventCopy } from '../messages/events.ts'
import { defineRoute } from '../route-contract.ts'
import { user } from './auth.ts'

/** An account as other services copy it. */
const userSummary = user.extend({ language: z.string().optional() })
export type UserSummary = z.infer<typeof userSummary>

export const getUser = defineRoute({
  method: 'get',
  path: '/internal/users/{userId}',
  summary: 'An account, for services whose local copy does not have it yet',
  access: 'anyone',
  params: z.object({ userId }),
  responses: {
    200: userSummary.extend({
      /** Whether the account may sign in. Earlier versions did not say it. */
      active: z.boolean().default(true),
    }),
  },
  notFoundCode: 'user_not_found',
})

/**
 * Access tokens that must not be used any more although they have not expired: those of an account with a lower
 * revision than the one given here, and all that were issued at or before `issuedBefore`, which is set when the list
 * would be too long.
 */
const revokedTokens = z.object({
  accounts: z.array(z.object({ userId, revision: z.int().nonnegative() })),
  issuedBefore: z.int().nonnegative().optional(),
})
export type RevokedTokens = z.infer<typeof revokedTokens>

export const listRevokedTokens = defineRoute({
  method: 'get',
  path: '/internal/revoked-tokens',
  summary: 'The access tokens that have been revoked before they expired, for services that verify them',
  access: 'anyone',
  responses: { 200: revokedTokens },
})

export const getEventCopy = defineRoute({
  method: 'get',
  path: '/internal/events/{eventId}',
  summary: 'An event, for services whose local copy does not have it yet',
  access: 'anyone',
  params: z.object({ eventId }),
  responses: { 200: eventCopy },
  notFoundCode: 'event_not_found',
})

export const getEventIdByCode = defineRoute({
  method: 'get',
  path: '/internal/codes/{code}',
  summary: 'The event that has a short code, for the gateway, which counts the codes that no event has',
  access: 'anyone',
  params: z.object({ code: shortCode }),
  responses: { 200: z.object({ eventId }) },
  notFoundCode: 'code_not_found',
})

export const getEventPin = defineRoute({
  method: 'get',
  path: '/internal/events/{eventId}/pin',
  summary:
    'The PIN of an event and the key of its links, for the gateway, which issues passes and counts wrong PINs',
  access: 'anyone',
  params: z.object({ eventId }),
  responses: {
    200: z.object({
      pin: z.string(),
      /** Absent where links do not open the event. */
      linkKey: z.string().optional(),
      pinHash: z.string(),
    }),
  },
  notFoundCode: 'event_not_found',
})

export const getCoverPicture = defineRoute({
  method: 'get',
  path: '/internal/events/{eventId}/cover',
  summary: 'The cover of an event as guests see it, as a JPEG in base64, for the previews of the gateway',
  access: 'anyone',
  params: z.object({ eventId }),
  responses: { 200: z.object({ jpeg: z.base64() }) },
  notFoundCode: 'no_cover',
})

/** An account with the revision that its copies have. */
const userCopy = userChangedV1.extend({ revision: z.int().nonnegative() })
export type UserCopy = z.infer<typeof userCopy>

/** Where a list of changes goes on: the `position` of an earlier answer. Without it from the beginning. */
const since = z.object({ since: z.string().max(100).optional() })
/** The end of what was listed; absent if nothing was. */
const position = z.string().optional()

export const listChangedUsers = defineRoute({
  method: 'get',
  path: '/internal/users',
  summary: 'The accounts that have changed, longest ago first, for services that keep copies of them',
  access: 'anyone',
  query: since,
  responses: { 200: z.object({ users: z.array(userCopy), position }) },
})

export const listChangedEvents = defineRoute({
  method: 'get',
  path: '/internal/events',
  summary: 'The events that have changed, longest ago first, for services that keep copies of them',
  access: 'anyone',
  query: since,
  responses: { 200: z.object({ events: z.array(eventCopy), position }) },
})

/** Routes between services, which the gateway does not expose. */
export const internalRoutes = {
  getUser,
  listRevokedTokens,
  getEventCopy,
  getEventIdByCode,
  getEventPin,
  getCoverPicture,
  listChangedUsers,
  listChangedEvents,
}
