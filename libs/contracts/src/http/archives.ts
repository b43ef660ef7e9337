import { z } from 'zod'
import { MAX_SELECTED_UPLOADS } from '../fixed-limits.ts'
import { eventId, uploadId } from '../ids.ts'
import { defineRoute } from '../route-contract.ts'

const archiveOptions = z.object({
  uploadIds: z
    .array(uploadId)
    .min(1, 'No uploads are selected.')
    .max(MAX_SELECTED_UPLOADS, `At most ${MAX_SELECTED_UPLOADS} uploads can be selected.`)
    .optional()
    .meta({ description: 'All uploads of the event without it.' }),
  folders: z
    .enum(['none', 'credit'])
    .default('none')
    .meta({ description: 'A folder for each photo credit.' }),
})
export type ArchiveOptions = z.infer<typeof archiveOptions>

const galleryArchiveOptions = archiveOptions.pick({ uploadIds: true }).extend({
  mine: z.boolean().default(false).meta({ description: 'Only what this guest has sent.' }),
})
export type GalleryArchiveOptions = z.infer<typeof galleryArchiveOptions>

const archive = z.object({
  url: z.url().meta({ description: 'Anyone who has it can download the archive until it expires.' }),
  filename: z.string(),
  files: z.int().positive(),
  bytes: z.int().positive().meta({ description: 'The size of the archive.' }),
  expiresAt: z.iso.datetime(),
})
export type Archive = z.infer<typeof archive>

export const createEventArchive = defineRoute({
  method: 'post',
  path: '/api/admin/uploads/event/{eventId}/archives',
  summary: 'Create a link to a ZIP archive of the uploads of an event',
  access: 'admin',
  params: z.object({ eventId }),
  body: archiveOptions,
  responses: { 201: archive },
})

export const createMyEventArchive = defineRoute({
  method: 'post',
  path: '/api/myevents/uploads/{eventId}/archives',
  summary: "Create a link to a ZIP archive of the uploads of one of the caller's events",
  access: 'organiser',
  params: z.object({ eventId }),
  body: archiveOptions,
  responses: { 201: archive },
})

export const createGalleryArchive = defineRoute({
  method: 'post',
  path: '/api/events/{eventId}/gallery/archives',
  summary:
    'Create a link to a ZIP archive of copies that this guest can save: those of uploadIds, with mine of all that the guest has sent, otherwise of all that the gallery shows. 404 with the code save_off if the event allows no copies, 413 for more than 3,000 files or 4 GB',
  access: 'guest-or-anyone',
  needsPass: true,
  params: z.object({ eventId }),
  body: galleryArchiveOptions,
  responses: { 201: archive },
  errors: [404, 413, 429, 503],
})

export const downloadArchive = defineRoute({
  method: 'get',
  path: '/api/archives/{token}/{filename}',
  summary:
    'Download an archive. HEAD, Range, If-Range and a strong ETag work, so that an interrupted download can be resumed. 410 if the link has expired or one of the uploads was deleted',
  access: 'anyone',
  params: z.object({ token: z.string(), filename: z.string() }),
  download: 'application/zip',
  responses: { 200: z.file(), 206: z.file() },
  errors: [410, 416],
})

export const archivesRoutes = {
  createEventArchive,
  createMyEventArchive,
  createGalleryArchive,
  downloadArchive,
}
