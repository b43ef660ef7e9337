import { z } from 'zod'
import { MB } from './fixed-limits.ts'
import { defaultTextLimits } from './text-limits.ts'

const count = (defaultValue: number) => z.coerce.number().int().positive().default(defaultValue)

/** Configurable limits of texts, in characters (code points). */
export const textLimitsConfig = z.object({
  MAX_CREDIT_CHARACTERS: count(defaultTextLimits.MAX_CREDIT_CHARACTERS),
  MAX_SUBJECT_CHARACTERS: count(defaultTextLimits.MAX_SUBJECT_CHARACTERS),
  MAX_MESSAGE_CHARACTERS: count(defaultTextLimits.MAX_MESSAGE_CHARACTERS),
  MAX_EVENT_NAME_CHARACTERS: count(defaultTextLimits.MAX_EVENT_NAME_CHARACTERS),
  MAX_EVENT_DESCRIPTION_CHARACTERS: count(defaultTextLimits.MAX_EVENT_DESCRIPTION_CHARACTERS),
  MAX_WELCOME_CHARACTERS: count(defaultTextLimits.MAX_WELCOME_CHARACTERS),
})

/** Configurable limits of one upload request, which gateway and uploads both enforce. */
export const uploadLimitsConfig = z.object({
  MAX_FILE_BYTES: count(500 * MB),
  MAX_FILES_PER_REQUEST: count(50),
})
export type UploadLimits = z.infer<typeof uploadLimitsConfig>
export const defaultUploadLimits: UploadLimits = uploadLimitsConfig.parse({})

/** The largest Content-Length, in bytes, of an upload request, including the form fields and part headers. */
export const maxUploadRequestBytes = (limits: UploadLimits): number =>
  limits.MAX_FILE_BYTES * limits.MAX_FILES_PER_REQUEST

export const jsonLimitsConfig = z.object({ MAX_JSON_BYTES: count(100 * 1024) })

/** Items per page of a list that is always paged. */
export const DEFAULT_PAGE_SIZE = 100
export const MAX_PAGE_SIZE = 1_000
