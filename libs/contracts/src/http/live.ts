import { z } from 'zod'
import { eventId, uploadId } from '../ids.ts'
import { defineRoute } from '../route-contract.ts'

/**
 * The data of the server-sent events of an event, by name. They say what has changed, and a page then asks for it. `reset`
 * says that some may be missing: the page loads everything again.
 */
export const liveEvents = {
  'upload.added': z.object({ uploadId }),
  'upload.ready': z.object({ uploadId }),
  'upload.hidden': z.object({ uploadId }),
  'upload.removed': z.object({ uploadId }),
  'event.changed': z.object({}),
  /** How many were added, and how many times one became ready for guests, since the last `counts`; every few seconds at most. */
  counts: z.object({ added: z.int().nonnegative(), ready: z.int().nonnegative() }),
  reset: z.object({}),
} as const
export type LiveEventName = keyof typeof liveEvents
export type LiveEvent = {
  [Name in LiveEventName]: { name: Name; data: z.infer<(typeof liveEvents)[Name]> }
}[LiveEventName]

export const followEvent = defineRoute({
  method: 'get',
  path: '/api/live/{eventId}',
  summary:
    'Follow the changes of an event as server-sent events: admins, its organisers, and its live wall by X-Wall-Key; 404 for others. Last-Event-ID resumes',
  access: 'guest-or-member',
  params: z.object({ eventId }),
  download: 'text/event-stream',
  responses: { 200: z.string() },
  errors: [503],
})

export const liveRoutes = { followEvent }
