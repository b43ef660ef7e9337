import { z } from 'zod'

/** The id of a record: 24 hexadecimal digits. */
export const recordId = z
  .string()
  .regex(/^[0-9a-fA-F]{24}$/)
  .toLowerCase()

/** What the copy of a photo says about it. */
export const copyMetadata = z.object({
  /** The credit. */
  artist: z.string(),
  /** When it was taken if the file does not say so: ISO 8601. */
  takenAt: z.string().optional(),
})

/** The file of a copy. */
export const copyFile = z.object({
  /** In bytes. */
  size: z.int().positive(),
  crc32: z.int().min(0).max(0xff_ff_ff_ff),
})

/** The checksums of a whole original. Absent where it could not be read. */
export const originalChecksums = {
  /** In hexadecimal. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** As in ZIP entries: unsigned. */
  crc32: z.int().min(0).max(0xff_ff_ff_ff).optional(),
}
