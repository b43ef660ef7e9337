import { z } from 'zod'
import { eventId, uploadId } from '../ids.ts'
import { defineRoute } from '../route-contract.ts'
import { feedFields, messageResponse, page, since } from './errors.ts'
import { upload, uploadTotal } from './uploads.ts'

/** What guests see of an upload of another guest. Its links end within 15 minutes. */
export const galleryUpload = z
  .object({
    _id: uploadId,
    photoCredit: z.string(),
    ...upload.pick({ takenAt: true, takenAtSource: true, isDamaged: true }).shape,
    uploadedAt: z.iso.datetime(),
    width: z.int().positive(),
    height: z.int().positive(),
    /** Of videos only. */
    durationSeconds: z.number().nonnegative().optional(),
    thumbnailUrl: z.url(),
    previewUrl: z.url(),
    videoUrl: z.url().optional(),
    saveUrl: upload.shape.saveUrl,
  })
  .meta({ id: 'GalleryUpload' })
export type GalleryUpload = z.infer<typeof galleryUpload>

const galleryQuery = page.extend({ since })
const galleryPage = z.object({
  uploads: z.array(galleryUpload),
  nextCursor: z.string().optional(),
  ...feedFields,
})

/** What guests can see of an event together. `guests` counts the different credits. */
const galleryTotal = uploadTotal.pick({ files: true, guests: true })
export type GalleryTotal = z.infer<typeof galleryTotal>

export const listGallery = defineRoute({
  method: 'get',
  path: '/api/events/{eventId}/gallery',
  summary:
    'List the uploads of an event that guests can see, newest first, or with since what has changed; with credit only those of this name. The first page, and what has changed, have the total of all names. 404 with the code gallery_off if the event has no gallery, or before its revealAt',
  access: 'anyone',
  needsPass: true,
  params: z.object({ eventId }),
  query: galleryQuery.extend({ credit: z.string().optional() }),
  conditional: true,
  responses: { 200: galleryPage.extend({ total: galleryTotal.optional() }) },
})

/** A name under which guests have sent uploads that the gallery shows, and how many. */
export const galleryCredit = z
  .object({ photoCredit: z.string(), files: z.int().positive() })
  .meta({ id: 'GalleryCredit' })
export type GalleryCredit = z.infer<typeof galleryCredit>

export const listGalleryCredits = defineRoute({
  method: 'get',
  path: '/api/events/{eventId}/gallery/credits',
  summary:
    'List all names under which guests have sent uploads that the gallery shows, with the number of each. 404 as for the gallery',
  access: 'anyone',
  needsPass: true,
  params: z.object({ eventId }),
  responses: { 200: z.object({ credits: z.array(galleryCredit) }) },
})

export const reportUpload = defineRoute({
  method: 'post',
  path: '/api/events/{eventId}/gallery/{uploadId}/reports',
  summary: 'Report an upload of the gallery. It waits for approval after reports of three guests',
  access: 'guest',
  needsPass: true,
  params: z.object({ eventId, uploadId }),
  responses: { 201: messageResponse },
  errors: [429],
})

/** The header with the key of a live wall. */
export const WALL_KEY_HEADER = 'X-Wall-Key'

export const listWall = defineRoute({
  method: 'get',
  path: '/api/wall/{eventId}',
  summary:
    'List the uploads of an event for its live wall, newest first, or with since what has changed. 404 without its key in X-Wall-Key',
  access: 'anyone',
  params: z.object({ eventId }),
  query: galleryQuery,
  conditional: true,
  responses: { 200: galleryPage },
})

export const galleryRoutes = { listGallery, listGalleryCredits, reportUpload, listWall }
