import { z } from 'zod'
import { shortCodePattern } from './short-codes.ts'

/**
 * The blob names of an upload. They contain only the id, which the server generates, so that they are unique and free of
 * anything that a guest has typed.
 */
export const blobNames = {
  folder: (uploadId: string) => `${uploadId}/`,
  /** Where the blocks of a direct upload arrive before they are copied to `original`. */
  staging: (uploadId: string) => `staging/${uploadId}`,
  original: (uploadId: string) => `${uploadId}/original`,
  thumbnail: (uploadId: string) => `${uploadId}/thumbnail.webp`,
  preview: (uploadId: string) => `${uploadId}/preview.webp`,
  /** A photo that guests can save, without the metadata of the original. */
  copy: (uploadId: string) => `${uploadId}/copy.jpg`,
  /** A video that all browsers play. */
  rendition: (uploadId: string) => `${uploadId}/rendition.mp4`,
}

/** The id of a record. A malformed id fails with the message `notFound`, like an unknown one. */
export const entityId = (notFound: string) =>
  z
    .string({ error: notFound })
    .regex(/^[0-9a-fA-F]{24}$/, { error: notFound })
    .toLowerCase()

export const eventId = entityId('Event not found.')
export const uploadId = entityId('Upload not found.')
export const userId = entityId('User not found.')
export const invitationId = entityId('Invitation not found.')

/** The short code of an event, as it is stored. */
export const shortCode = z.string().regex(shortCodePattern)
