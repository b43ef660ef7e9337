import { z } from 'zod'
import { MB } from './megabyte.ts'

const count = (standard: number) => z.coerce.number().int().positive().default(standard)

/** Limits of texts, as a service's environment may set them; in characters (code points). */
export const textLimitsConfig = z.object({
  MAX_CREDIT_CHARACTERS: count(80),
  MAX_SUBJECT_CHARACTERS: count(200),
  MAX_MESSAGE_CHARACTERS: count(5_000),
  MAX_EVENT_NAME_CHARACTERS: count(200),
  MAX_EVENT_DESCRIPTION_CHARACTERS: count(5_000),
})
export type TextLimits = z.infer<typeof textLimitsConfig>
export const defaultTextLimits: TextLimits = textLimitsConfig.parse({})

/** Limits of one upload request; gateway and uploads hold both. */
export const uploadLimitsConfig = z.object({
  MAX_FILE_BYTES: count(500 * MB),
  MAX_FILES_PER_REQUEST: count(50),
})
export type UploadLimits = z.infer<typeof uploadLimitsConfig>
export const defaultUploadLimits: UploadLimits = uploadLimitsConfig.parse({})

/** The largest Content-Length, in bytes, of an upload request: what stands around its files counts, too. */
export const maxUploadRequestBytes = (limits: UploadLimits): number =>
  limits.MAX_FILE_BYTES * limits.MAX_FILES_PER_REQUEST

export const jsonLimitsConfig = z.object({ MAX_JSON_BYTES: count(100 * 1024) })

export const MAX_EMAIL_CHARACTERS = 254
export const MAX_PASSWORD_CHARACTERS = 1_024
export const MAX_PAGE_SIZE = 1_000
