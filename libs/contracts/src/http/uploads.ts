import { z } from 'zod'
import { eventId, uploadId } from '../ids.ts'
import { mediaTypes, type MediaType } from '../media-types.ts'
import { defineRoute } from '../route-contract.ts'
import { takenAtSources } from '../taken-at-source.ts'
import { feedFields, messageResponse, optionalPage, since } from './errors.ts'

export const mediaType = z.enum(Object.keys(mediaTypes) as [MediaType, ...MediaType[]])
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

export const uploadStatus = z.enum(['processing', 'ready', 'failed'])
/** Whether guests can see an upload. `pending`: it waits for the approval of an organiser. */
export const uploadVisibility = z.enum(['visible', 'pending', 'hidden'])
export type UploadVisibility = z.infer<typeof uploadVisibility>

/** Which text of the event a guest has agreed to. */
export const consentVersion = z.string().max(64)

/**
 * `url` is a link to the original bytes, `thumbnailUrl` and `previewUrl` to WebP images, `videoUrl` to an MP4 that browsers
 * play. All of them expire. `takenAt` is in the time zone of the event. `isDamaged`: a part of the picture is missing.
 */
export const upload = z
  .object({
    _id: uploadId,
    eventId,
    url: z.url(),
    filename: z.string(),
    originalName: z.string(),
    photoCredit: z.string(),
    uploadedAt: z.iso.datetime(),
    contentType: mediaType,
    size: z.int().positive(),
    sha256,
    status: uploadStatus,
    visibility: uploadVisibility,
    failureReason: z.string().optional(),
    thumbnailUrl: z.url().optional(),
    previewUrl: z.url().optional(),
    videoUrl: z.url().optional(),
    saveUrl: z.url().optional().meta({
      description:
        'For guests only, a link that saves a copy: of a photo a JPEG, of a video the same MP4 as videoUrl. Absent until it is made, and where the event allows none',
    }),
    width: z.int().positive().optional(),
    height: z.int().positive().optional(),
    durationSeconds: z.number().nonnegative().optional(),
    takenAt: z.iso.datetime({ offset: true }).optional(),
    takenAtSource: z.enum(takenAtSources).optional(),
    isDamaged: z.literal(true).optional(),
    consent: z.object({ version: consentVersion, at: z.iso.datetime() }).optional().meta({
      description: 'What the guest who sent it first agreed to, and when. Absent: nothing was asked for.',
    }),
  })
  .meta({ id: 'Upload' })
export type Upload = z.infer<typeof upload>

/** When a file last changed on the guest's device, in milliseconds since 1970; it may be wrong by any amount. */
export const lastModified = z.int()

/** The answer to a guest about a file that is stored. */
export const uploadResult = upload
  .pick({ _id: true, originalName: true, contentType: true, size: true, sha256: true })
  .extend({
    /** Whether the event already had the same bytes under the same credit. */
    duplicate: z.boolean(),
  })
export type UploadResult = z.infer<typeof uploadResult>
export const rejectedFile = z.object({ originalName: z.string(), code: z.string(), message: z.string() })

export const createUploads = defineRoute({
  method: 'post',
  path: '/api/uploads',
  summary:
    'Send photos and videos to an event. The response has a result for each file, and for at most 200 files beyond the limit',
  access: 'guest-or-anyone',
  needsPass: true,
  issuesGuestToken: true,
  multipart: true,
  body: z.object({
    eventId: z.string(),
    photoCredit: z.string(),
    consentVersion: consentVersion.optional().meta({
      description: 'The version of what the guest agrees to, if the event asks for consent. Before the files',
    }),
    lastModified: lastModified.optional().meta({
      description:
        'Of the file that follows, when it last changed on the device, in milliseconds since 1970; once for each file',
    }),
    media: z.array(z.file()).meta({ description: 'One or more files, with any field name' }),
  }),
  responses: {
    201: z.object({
      message: z.string(),
      uploads: z.array(uploadResult),
      rejected: z.array(rejectedFile),
    }),
  },
  errors: [400, 404, 408, 410, 413, 415, 429],
})

/** All uploads of an event together. `guests` counts the different credits. */
export const uploadTotal = z.object({
  files: z.int().nonnegative(),
  guests: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  waiting: z
    .int()
    .nonnegative()
    .optional()
    .meta({ description: 'How many wait for approval. Absent in answers of earlier versions.' }),
})
export type UploadTotal = z.infer<typeof uploadTotal>

/** `uploaded`: by upload time, newest first. `taken`: by capture time, oldest first; where that is unknown by upload time. */
const uploadOrder = z.enum(['uploaded', 'taken'])
export type UploadOrder = z.infer<typeof uploadOrder>

const listQuery = optionalPage.extend({ order: uploadOrder.default('uploaded'), since })

const uploadList = z.object({
  uploads: z.array(upload),
  nextCursor: z.string().optional(),
  total: uploadTotal.optional(),
  ...feedFields,
})

export const listEventUploads = defineRoute({
  method: 'get',
  path: '/api/admin/uploads/event/{eventId}',
  summary:
    'List the uploads of an event, newest first, or with order=taken by capture time, oldest first, or with since what has changed. The first page has the total of the event',
  access: 'admin',
  params: z.object({ eventId }),
  query: listQuery,
  conditional: true,
  responses: { 200: uploadList },
})

export const listMyEventUploads = defineRoute({
  method: 'get',
  path: '/api/myevents/uploads/{eventId}',
  summary:
    "List the uploads of one of the caller's events, newest first, or with order=taken by capture time, oldest first, or with since what has changed. The first page has the total of the event",
  access: 'organiser',
  params: z.object({ eventId }),
  query: listQuery,
  conditional: true,
  responses: { 200: uploadList },
})

/** `renamed`: how many have got another credit, also by being merged. */
export const renamedUploads = z.object({ message: z.string(), renamed: z.int().nonnegative() })

export const deleteUpload = defineRoute({
  method: 'delete',
  path: '/api/admin/uploads/{uploadId}',
  summary: 'Delete an upload with its original, thumbnail and preview',
  access: 'admin',
  params: z.object({ uploadId }),
  responses: { 200: messageResponse },
})

const consentsCsv = {
  params: z.object({ eventId }),
  download: 'text/csv',
  responses: { 200: z.string() },
} as const

export const downloadEventConsents = defineRoute({
  method: 'get',
  path: '/api/admin/uploads/event/{eventId}/consents.csv',
  summary: 'Download what was agreed to with each upload of an event, as CSV',
  access: 'admin',
  ...consentsCsv,
})

export const downloadMyEventConsents = defineRoute({
  method: 'get',
  path: '/api/myevents/uploads/{eventId}/consents.csv',
  summary: "Download what was agreed to with each upload of one of the caller's events, as CSV",
  access: 'organiser',
  ...consentsCsv,
})

export const getEventCover = defineRoute({
  method: 'get',
  path: '/api/events/{eventId}/cover',
  summary: 'Get a link to the cover of an event, which expires',
  access: 'anyone',
  needsPass: true,
  params: z.object({ eventId }),
  responses: {
    200: z.object({ url: z.url(), width: z.int().positive(), height: z.int().positive() }),
  },
})

export const uploadsRoutes = {
  createUploads,
  listEventUploads,
  listMyEventUploads,
  getEventCover,
  downloadEventConsents,
  downloadMyEventConsents,
  deleteUpload,
}
