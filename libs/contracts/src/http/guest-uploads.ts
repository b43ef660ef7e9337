import { z } from 'zod'
import { eventId, uploadId } from '../ids.ts'
import { defineRoute } from '../route-contract.ts'
import { feedFields, messageResponse, page, since } from './errors.ts'
import { renamedUploads, upload } from './uploads.ts'

/** An upload as the guest who sent it sees it. */
export const guestUpload = upload
  .pick({
    _id: true,
    originalName: true,
    photoCredit: true,
    uploadedAt: true,
    contentType: true,
    size: true,
    status: true,
    visibility: true,
    failureReason: true,
    thumbnailUrl: true,
    previewUrl: true,
    videoUrl: true,
    saveUrl: true,
    width: true,
    height: true,
    durationSeconds: true,
    takenAt: true,
    takenAtSource: true,
    isDamaged: true,
  })
  .meta({ id: 'GuestUpload' })
export type GuestUpload = z.infer<typeof guestUpload>

export const listGuestUploads = defineRoute({
  method: 'get',
  path: '/api/guest/uploads',
  summary:
    'List what the guest with this X-Guest-Token has sent to an event, newest first, or with since what has changed. Without a genuine token the list is empty',
  access: 'guest-or-anyone',
  needsPass: true,
  query: page.extend({ eventId: z.string({ error: 'Event ID is missing.' }), since }),
  conditional: true,
  responses: {
    200: z.object({ uploads: z.array(guestUpload), nextCursor: z.string().optional(), ...feedFields }),
  },
  errors: [404],
})

export const renameGuestUploads = defineRoute({
  method: 'patch',
  path: '/api/guest/uploads',
  summary:
    'Change the name under which the guest with this X-Guest-Token has sent all uploads to an event. One that then equals another is merged into the older of the two. 404 unless this guest has sent some',
  access: 'guest-or-anyone',
  needsPass: true,
  body: z.object({
    eventId: z.string({ error: 'Event ID is missing.' }),
    photoCredit: z.string().default(''),
  }),
  responses: { 200: renamedUploads },
  errors: [404],
})

export const deleteGuestUpload = defineRoute({
  method: 'delete',
  path: '/api/guest/uploads/{uploadId}',
  summary:
    'Take back an upload. It is hidden from everybody at once, and deleted 30 seconds later unless it is restored; of several guests who have sent it, the last one deletes it. 404 unless the guest with this X-Guest-Token has sent it',
  access: 'guest-or-anyone',
  needsPass: true,
  params: z.object({ uploadId }),
  responses: { 200: messageResponse },
})

export const restoreGuestUpload = defineRoute({
  method: 'post',
  path: '/api/guest/uploads/{uploadId}/restore',
  summary:
    'Restore an upload that was taken back. 404 unless the guest with this X-Guest-Token owns it, or took it back in the last 30 seconds',
  access: 'guest-or-anyone',
  needsPass: true,
  params: z.object({ uploadId }),
  responses: { 200: z.object({ upload: guestUpload }) },
})

/** The header with the key of a guest's own link: guest routes take it instead of the guest token, for the link's event. */
export const GUEST_KEY_HEADER = 'X-Guest-Key'

export const createOwnLink = defineRoute({
  method: 'post',
  path: '/api/guest/links',
  summary:
    'Create a link by which the guest with this X-Guest-Token lists, renames, deletes and saves on another device what they have sent to an event. Its fragment is the key for X-Guest-Key. Of each guest and event the ten newest open something',
  access: 'guest',
  needsPass: true,
  body: z.object({ eventId: z.string({ error: 'Event ID is missing.' }) }),
  responses: { 201: z.object({ url: z.url() }) },
  errors: [404],
})

export const getOwnLink = defineRoute({
  method: 'get',
  path: '/api/guest/links',
  summary: 'Get the event of the own link whose key the request has. 404 once the link has ended',
  access: 'guest-or-anyone',
  responses: { 200: z.object({ eventId }) },
  errors: [404],
})

export const endOwnLink = defineRoute({
  method: 'delete',
  path: '/api/guest/links',
  summary: 'End all own links to an event of the guest with this X-Guest-Token',
  access: 'guest',
  needsPass: true,
  query: z.object({ eventId: z.string({ error: 'Event ID is missing.' }) }),
  responses: { 200: messageResponse },
  errors: [404],
})

export const guestUploadsRoutes = {
  listGuestUploads,
  renameGuestUploads,
  deleteGuestUpload,
  restoreGuestUpload,
  createOwnLink,
  getOwnLink,
  endOwnLink,
}
