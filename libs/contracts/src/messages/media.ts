import { z } from 'zod'
import { recordId } from './fields.ts'

/** Of the whole original. Absent if they were not computed, as in messages before version 0.3. */
const hashes = {
  /** SHA-256 as 64 hexadecimal digits. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  crc32: z.int().nonnegative().max(0xffff_ffff).optional(),
}

export const mediaProcessedV1 = z.object({
  uploadId: recordId,
  /** In pixels as displayed, after rotation. */
  width: z.int().positive(),
  height: z.int().positive(),
  durationSeconds: z.number().nonnegative().optional(),
  /** ISO 8601; without a zone if the file has none. */
  takenAt: z.string().optional(),
  ...hashes,
})

export const mediaFailedV1 = z.object({
  uploadId: recordId,
  /** Fit to show a person. */
  reason: z.string(),
  ...hashes,
})
