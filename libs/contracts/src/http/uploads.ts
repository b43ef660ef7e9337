import { z } from 'zod'
import { eventId, uploadId } from '../ids.ts'
import { MAX_PAGE_SIZE } from '../limits.ts'
import { mediaTypes, type MediaType } from '../media-types.ts'
import { defineRoute } from '../route-contract.ts'
import { messageBody } from './errors.ts'

export const mediaType = z.enum(Object.keys(mediaTypes) as [MediaType, ...MediaType[]])
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

export const uploadStatus = z.enum(['processing', 'ready', 'failed'])

/** `url` reads the original bytes; `thumbnailUrl` and `previewUrl` read WebP pictures. All three expire. */
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
    failureReason: z.string().optional(),
    thumbnailUrl: z.url().optional(),
    previewUrl: z.url().optional(),
    width: z.int().positive().optional(),
    height: z.int().positive().optional(),
    durationSeconds: z.number().nonnegative().optional(),
    takenAt: z.string().optional(),
  })
  .meta({ id: 'Upload' })
export type Upload = z.infer<typeof upload>

const keptUpload = upload
  .pick({ _id: true, originalName: true, contentType: true, size: true, sha256: true })
  .extend({ duplicate: z.boolean() })
const rejectedFile = z.object({ originalName: z.string(), code: z.string(), message: z.string() })

export const createUploads = defineRoute({
  method: 'post',
  path: '/api/uploads',
  summary:
    'Send photos and videos to an event; the answer says for each file what became of it, but for those that are 200 beyond the limit',
  access: 'anyone',
  multipart: true,
  body: z.object({
    eventId: z.string(),
    photoCredit: z.string(),
    media: z.array(z.file()).meta({ description: 'One or more files; any field name will do' }),
  }),
  responses: {
    201: z.object({
      message: z.string(),
      uploads: z.array(keptUpload),
      rejected: z.array(rejectedFile),
    }),
  },
  errors: [400, 404, 408, 410, 413, 415, 429],
})

const page = z.object({
  limit: z.coerce
    .number({ error: `The limit is a number from 1 to ${MAX_PAGE_SIZE}.` })
    .int(`The limit is a number from 1 to ${MAX_PAGE_SIZE}.`)
    .min(1, `The limit is a number from 1 to ${MAX_PAGE_SIZE}.`)
    .max(MAX_PAGE_SIZE, `The limit is a number from 1 to ${MAX_PAGE_SIZE}.`)
    .optional(),
  after: z
    .string({ error: 'The cursor is not one of ours.' })
    .max(200, 'The cursor is not one of ours.')
    .optional(),
})
const uploadList = z.object({ uploads: z.array(upload), nextCursor: z.string().optional() })

export const listEventUploads = defineRoute({
  method: 'get',
  path: '/api/admin/uploads/event/{eventId}',
  summary: 'The uploads of an event, newest first',
  access: 'admin',
  params: z.object({ eventId }),
  query: page,
  responses: { 200: uploadList },
})

export const listMyEventUploads = defineRoute({
  method: 'get',
  path: '/api/myevents/uploads/{eventId}',
  summary: "The uploads of one of the caller's own events, newest first",
  access: 'user',
  params: z.object({ eventId }),
  query: page,
  responses: { 200: uploadList },
})

export const deleteUpload = defineRoute({
  method: 'delete',
  path: '/api/admin/uploads/{uploadId}',
  summary: 'Take an upload out of its event, with its original, thumbnail and preview',
  access: 'admin',
  params: z.object({ uploadId }),
  responses: { 200: messageBody },
})
