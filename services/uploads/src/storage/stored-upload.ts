import { upload as uploadContract, type UploadVisibility } from '@confetti/contracts'
import { newMessage } from '@confetti/messaging'
import { pickDefined } from '@confetti/service-kit'
import type { NewUpload, StoredUpload } from '../upload.ts'
import type { UploadDocument } from './upload-model.ts'

// All other fields of the document are internal to the store.
const storedFields = uploadContract
  .omit({ _id: true, url: true, thumbnailUrl: true, previewUrl: true, videoUrl: true, visibility: true })
  .keyof().options

export const toStoredUpload = (
  document: Pick<UploadDocument, '_id' | 'visibility' | 'hasRendition' | (typeof storedFields)[number]>,
): StoredUpload => ({
  _id: document._id.toHexString(),
  ...pickDefined(document, storedFields),
  visibility: document.visibility ?? 'visible',
  ...(document.hasRendition && { hasRendition: true }),
})

/** How a visibility is stored. */
export const toStoredVisibility = (
  visibility: UploadVisibility,
): Exclude<UploadVisibility, 'visible'> | null => (visibility === 'visible' ? null : visibility)

type Content = Pick<NewUpload, 'eventId' | 'sha256' | 'photoCredit' | 'unverifiedContent'>

/** What is unique in an event: the bytes, as far as they are verified, and the credit. */
export const getContentKey = ({ eventId, sha256, photoCredit, unverifiedContent }: Content): string =>
  unverifiedContent === undefined
    ? `${eventId}/${sha256}/${photoCredit}`
    : `unverified/${eventId}/${sha256}/${unverifiedContent}/${photoCredit}`

/** The message that an upload waits for processing. */
export const uploadCompleted = (upload: Pick<StoredUpload, '_id' | 'eventId' | 'contentType' | 'size'>) =>
  newMessage('upload.completed.v1', {
    uploadId: upload._id,
    eventId: upload.eventId,
    contentType: upload.contentType,
    size: upload.size,
  })

/** The message that an upload has been processed, or that guests see it or do not see it any more. */
export const uploadChanged = ({
  _id,
  eventId,
  status,
  visibility,
}: Pick<StoredUpload, '_id' | 'eventId' | 'status' | 'visibility'>) =>
  newMessage('upload.changed.v1', { uploadId: _id, eventId, status, visibility })
