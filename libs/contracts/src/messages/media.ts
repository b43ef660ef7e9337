import { z } from 'zod'
import { copyFile, copyMetadata, originalChecksums, recordId } from './fields.ts'

/**
 * The version of media's decoders. Raise it when they decode what they have refused before: uploads then requests the
 * processing of what an earlier version has refused once more.
 */
export const DECODER_VERSION = 1

/** Why an upload fails whose file has crashed its decoders, or was never processed. It is not tried again. */
export const PROCESSING_CRASHED = 'The file could not be processed.'

/** Absent where a version before 1 has processed the file. */
const decoderVersion = z.int().positive().optional()

/** Thumbnail and preview of an upload are stored. */
export const mediaProcessedV1 = z.object({
  uploadId: recordId,
  /** In pixels as displayed, after rotation. */
  width: z.int().positive(),
  height: z.int().positive(),
  durationSeconds: z.number().nonnegative().optional(),
  /** ISO 8601; without a zone if the file has none. */
  takenAt: z.string().optional(),
  /** The part of the file that says so; earlier versions did not send it. `exif-local` has no zone, `container` is in UTC. */
  takenAtSource: z.enum(['exif', 'quicktime', 'exif-local', 'container']).optional(),
  /** A part of the photo is missing: the derivatives show the rest. */
  isDamaged: z.literal(true).optional(),
  /** Of a photo for which `upload.completed` has asked for a copy. Versions before did not make one. */
  copy: copyFile.optional(),
  decoderVersion,
  ...originalChecksums,
})

/**
 * A video has been processed and waits for its rendition. Published by media, unless it makes none, and by uploads again if
 * the rendition is missing after twice `PROCESSING_TIMEOUT_MS`.
 */
export const mediaRenditionRequestedV1 = z.object({
  uploadId: recordId,
  contentType: z.enum(['video/mp4', 'video/quicktime']),
  /** Of the original, in bytes. */
  size: z.int().positive(),
})

/** The rendition of a video has been stored. Nothing is published of one that has failed. */
export const mediaRenderedV1 = z.object({
  uploadId: recordId,
  /** Earlier versions did not send it. */
  copy: copyFile.optional(),
})

/**
 * A photo that has been processed lacks the copy that guests can save: its event allows that since, or an earlier version of
 * media has processed it. Published again while the copy is missing after twice `PROCESSING_TIMEOUT_MS`.
 */
export const mediaCopyRequestedV1 = z.object({
  uploadId: recordId,
  contentType: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic']),
  /** Of the original, in bytes. */
  size: z.int().positive(),
  copy: copyMetadata,
})

/** The copy of a photo has been stored. Nothing is published of one that has failed. */
export const mediaCopiedV1 = z.object({ uploadId: recordId, copy: copyFile })

/** A file cannot be processed. Its original stays and can be downloaded. */
export const mediaFailedV1 = z.object({
  uploadId: recordId,
  /** A text for users. */
  reason: z.string(),
  decoderVersion,
  ...originalChecksums,
})
