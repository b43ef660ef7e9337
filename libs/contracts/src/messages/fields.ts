import { z } from 'zod'

/** The id of a record: 24 hexadecimal digits. */
export const recordId = z
  .string()
  .regex(/^[0-9a-fA-F]{24}$/)
  .toLowerCase()
