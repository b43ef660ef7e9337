import { z } from 'zod'

/** A record's id. A malformed one is as unknown as an unused one, so both answer `notFound`. */
export const entityId = (notFound: string) =>
  z
    .string({ error: notFound })
    .regex(/^[0-9a-fA-F]{24}$/, { error: notFound })
    .toLowerCase()

export const eventId = entityId('Event not found.')
export const uploadId = entityId('Upload not found.')
export const userId = entityId('User not found.')
