import { z } from 'zod'
import { eventId, uploadId } from '../ids.ts'
import { MAX_PAGE_SIZE } from '../limits.ts'
import { defineRoute } from '../route-contract.ts'
import { messageResponse } from './errors.ts'
import { renamedUploads, uploadVisibility } from './uploads.ts'

const visibilityChange = z.object({
  uploadIds: z
    .array(uploadId, { error: 'No uploads are selected.' })
    .min(1, 'No uploads are selected.')
    .max(MAX_PAGE_SIZE, `At most ${MAX_PAGE_SIZE} uploads can be selected.`),
  visibility: uploadVisibility,
})
export type VisibilityChange = z.infer<typeof visibilityChange>

/** Uploads that do not exist, or belong to another event, are left out of `uploadIds`. */
const changedVisibility = z.object({ message: z.string(), uploadIds: z.array(uploadId) })

export const setUploadsVisibility = defineRoute({
  method: 'post',
  path: '/api/admin/uploads/event/{eventId}/visibility',
  summary: 'Show uploads of an event to guests, or hide them',
  access: 'admin',
  params: z.object({ eventId }),
  body: visibilityChange,
  responses: { 200: changedVisibility },
})

export const setMyUploadsVisibility = defineRoute({
  method: 'post',
  path: '/api/myevents/uploads/{eventId}/visibility',
  summary: "Show uploads of one of the caller's events to guests, or hide them",
  access: 'organiser',
  params: z.object({ eventId }),
  body: visibilityChange,
  responses: { 200: changedVisibility },
})

const creditChange = z.object({ from: z.string(), to: z.string().default('') })
export type CreditChange = z.infer<typeof creditChange>

export const renameCredit = defineRoute({
  method: 'patch',
  path: '/api/admin/uploads/event/{eventId}/credits',
  summary:
    'Change a name under which guests have sent uploads to an event, also to one that others have. Of uploads that then are equal, the older one stays. 404 if none has either name',
  access: 'admin',
  params: z.object({ eventId }),
  body: creditChange,
  responses: { 200: renamedUploads },
})

export const renameMyCredit = defineRoute({
  method: 'patch',
  path: '/api/myevents/uploads/{eventId}/credits',
  summary:
    "Change a name under which guests have sent uploads to one of the caller's events, also to one that others have. Of uploads that then are equal, the older one stays. 404 if none has either name",
  access: 'organiser',
  params: z.object({ eventId }),
  body: creditChange,
  responses: { 200: renamedUploads },
})

export const deleteMyUpload = defineRoute({
  method: 'delete',
  path: '/api/myevents/uploads/{eventId}/{uploadId}',
  summary: "Delete an upload of one of the caller's events with its original, thumbnail and preview",
  access: 'organiser',
  params: z.object({ eventId, uploadId }),
  responses: { 200: messageResponse },
})

export const moderationRoutes = {
  setUploadsVisibility,
  setMyUploadsVisibility,
  renameCredit,
  renameMyCredit,
  deleteMyUpload,
}
