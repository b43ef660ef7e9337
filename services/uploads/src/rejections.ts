import { MB, mediaTypeRows, type UploadLimits } from '@confetti/contracts'
import {
  gone,
  invalid,
  notFound,
  tooLarge,
  unavailable,
  unsupportedType,
  type AppError,
} from '@confetti/service-kit'

type Details = AppError['details']

export const eventMissing = (details?: Details): AppError =>
  invalid('Event ID is missing.', { code: 'event_id_missing', ...(details && { details }) })

export const eventClosed = (): AppError =>
  gone('This event no longer takes uploads.', { code: 'event_closed' })

/** The event asks guests to agree to something, and this guest has not agreed to what it says now. */
export const consentRequired = (): AppError =>
  invalid('This event asks for your consent first. Please reload the page and tick the box.', {
    code: 'consent_required',
  })

export const noFiles = (): AppError => invalid('Please select at least one file.', { code: 'no_files' })

export const emptyFile = (): AppError => invalid('The file is empty.', { code: 'empty_file' })

export const fileTooLarge = ({ MAX_FILE_BYTES }: Pick<UploadLimits, 'MAX_FILE_BYTES'>): AppError =>
  tooLarge(`The file is larger than ${(MAX_FILE_BYTES / MB).toLocaleString('en')} MB.`)

const and = new Intl.ListFormat('en-GB', { type: 'conjunction' })
const namesOf = (kind: 'image' | 'video'): string =>
  and.format(
    mediaTypeRows
      .filter(({ type }) => type.startsWith(kind))
      .map(({ extensions: [extension] }) => extension.toUpperCase()),
  )

export const unsupportedFile = (): AppError =>
  unsupportedType(`Only ${namesOf('image')} images and ${namesOf('video')} videos can be uploaded.`)

/** The bytes of a direct upload have not all arrived. */
export const incomplete = (): AppError =>
  invalid('The file has not arrived whole yet.', { code: 'incomplete' })

/** The ticket is too old, or was signed with another secret. */
export const ticketExpired = (): AppError =>
  invalid('Sending this file took too long. Please send it again.', { code: 'expired' })

/** The event has as many files or bytes as it may have. */
export const eventFull = (): AppError =>
  tooLarge('This event has no room for more photos and videos.', { code: 'quota_exceeded' })

/** The guest has sent as much as one may send in a day. */
export const guestQuotaUsedUp = (): AppError =>
  tooLarge('That is as much as one guest can send in a day. Please send the rest tomorrow.', {
    code: 'quota_exceeded',
  })

export const uploadNotFound = (): AppError => notFound('Upload not found.', { code: 'upload_not_found' })

/** Others change the upload at the same time, again and again. */
export const uploadBusy = (): AppError =>
  unavailable('The upload is being changed by somebody else. Please try again in a moment.')
