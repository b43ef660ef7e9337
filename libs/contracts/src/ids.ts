import { z } from 'zod'

/** The id of a record. A malformed id fails with the message `notFound`, like an unknown one. */
export const entityId = (notFound: string) =>
  z
    .string({ error: notFound })
    .regex(/^[0-9a-fA-F]{24}$/, { error: notFound })
    .toLowerCase()

export const eventId = entityId('Event not found.')
export const uploadId = entityId('Upload not found.')
export const userId = entityId('User not found.')
