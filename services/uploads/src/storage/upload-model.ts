import {
  upload as uploadContract,
  type MessageData,
  type UploadOrder,
  type UploadVisibility,
} from '@confetti/contracts'
import { addToOutbox, newMessage, outboxPlugin, type Message, type OutboxFields } from '@confetti/messaging'
import { findPage, pickDefined, type PageRequest, type Position } from '@confetti/service-kit'
import { Schema, type Connection, type QueryFilter, type Types } from 'mongoose'
import { findCapture, toTakenAt, type Capture, type CaptureSources } from '../capture-time.ts'
import type { NewUpload, StoredUpload } from '../upload.ts'

// All other fields of the document are internal to the store, or stored otherwise.
const storedFields = uploadContract
  .omit({ _id: true, url: true, thumbnailUrl: true, previewUrl: true, videoUrl: true, saveUrl: true })
  .omit({ visibility: true, takenAt: true, takenAtSource: true })
  .keyof().options

/** The fields that `captureOf` needs of a document. */
export const captureFields = {
  originalName: 1,
  contentType: 1,
  uploadedAt: 1,
  lastModified: 1,
  takenAt: 1,
  takenAtSource: 1,
  capturedAt: 1,
  captureSource: 1,
  captureZone: 1,
} as const satisfies Record<keyof CaptureDocument, 1>

type CaptureDocument = CaptureSources & Partial<Capture>

/** When an upload was taken. What an earlier version has stored is found out until it is stored again. */
export const captureOf = (document: CaptureDocument): Capture => {
  const { capturedAt, captureSource, captureZone } = document
  return capturedAt && captureZone
    ? { capturedAt, captureZone, ...(captureSource && { captureSource }) }
    : findCapture(document, captureZone)
}

export const toStoredUpload = (
  document: CaptureDocument &
    Pick<UploadDocument, '_id' | 'visibility' | 'hasRendition' | 'copy' | (typeof storedFields)[number]>,
): StoredUpload => ({
  _id: document._id.toHexString(),
  ...pickDefined(document, storedFields),
  ...toTakenAt(captureOf(document)),
  visibility: document.visibility ?? 'visible',
  ...(document.hasRendition && { hasRendition: true }),
  ...(document.copy && { copy: document.copy }),
})

/** How a visibility is stored. */
export const toStoredVisibility = (
  visibility: UploadVisibility,
): Exclude<UploadVisibility, 'visible'> | null => (visibility === 'visible' ? null : visibility)

type Content = Pick<NewUpload, 'eventId' | 'sha256' | 'photoCredit' | 'provisionalIdentity'>

/** What is unique in an event: the bytes, as far as they are verified, and the credit. */
export const getContentKey = ({ eventId, sha256, photoCredit, provisionalIdentity }: Content): string =>
  provisionalIdentity === undefined
    ? `${eventId}/${sha256}/${photoCredit}`
    : `unverified/${eventId}/${sha256}/${provisionalIdentity}/${photoCredit}`

type CopyMetadata = MessageData<'media.copy-requested.v1'>['copy']

/** What the copy of a photo says about it. Its time counts where the file has none of its own. */
export const toCopyMetadata = (photoCredit: string, capture: Capture): CopyMetadata => {
  const { takenAt } = toTakenAt(capture)
  return { artist: photoCredit, ...(takenAt !== undefined && { takenAt }) }
}

/** The message that an upload waits for processing. */
export const uploadCompleted = (
  upload: Pick<StoredUpload, '_id' | 'eventId' | 'contentType' | 'size'> & Pick<NewUpload, 'guestId'>,
  copy?: CopyMetadata,
) =>
  newMessage('upload.completed.v1', {
    uploadId: upload._id,
    eventId: upload.eventId,
    contentType: upload.contentType,
    size: upload.size,
    ...(upload.guestId !== undefined && { guestId: upload.guestId }),
    ...(copy && { copy }),
  })

/** Called when an upload was deleted for good, unless with its whole event. */
export type OnDeleted = (upload: Pick<UploadDocument, 'eventId' | 'size'>) => void

/** The update that deletes an upload for good. */
export const deletion = (id: string, eventId: string, at: Date, ...messages: Message[]) => ({
  ...addToOutbox<UploadDocument>(
    {
      deleted: true,
      deletedAt: at,
      changedAt: at,
      // Releases the unique keys: the same photo may be sent again, under the same name.
      contentKey: `deleted/${id}`,
      filenameKey: `deleted/${id}`,
    },
    newMessage('upload.deleted.v1', { uploadId: id, eventId }),
    ...messages,
  ),
  $unset: { deletionDueAt: '' as const },
})

/** Uploads that have been taken back, and will be deleted for good. */
export const takenBack = { deletionDueAt: { $ne: null } } satisfies QueryFilter<UploadDocument>
/** Uploads that are not deleted for good: those that have been taken back, too. */
export const kept = { $or: [{ deleted: false }, takenBack] } satisfies QueryFilter<UploadDocument>

export const isKept = ({ deleted, deletionDueAt }: Pick<UploadDocument, 'deleted' | 'deletionDueAt'>) =>
  !deleted || deletionDueAt !== undefined

export interface UploadDocument
  extends
    OutboxFields,
    Omit<StoredUpload, '_id' | 'visibility' | 'takenAt' | 'takenAtSource'>,
    Pick<CaptureSources, 'lastModified' | 'takenAt' | 'takenAtSource'>,
    // Absent in what an earlier version has stored, until the sweep has added them.
    Partial<Capture> {
  _id: Types.ObjectId
  /** Unique: no two files of an event's ZIP overwrite each other, even where case is ignored. */
  filenameKey: string
  /** Unique: the same bytes in the same event under the same credit are one upload. */
  contentKey: string
  /** Whether `sha256` is what a guest has declared, and the media worker has not verified it. */
  isHashUnverified?: boolean
  /** When anything of it last changed that lists show. Absent: when an earlier version wrote it. */
  changedAt?: Date
  /** Absent or null: visible, so that a query for one value finds both. */
  visibility?: Exclude<UploadVisibility, 'visible'> | null
  /**
   * The guest who has sent it, or the guests if the same bytes were sent again under the same credit: a query for one finds
   * both. Absent: it was sent without a token.
   */
  guestId?: string | string[]
  /** Counts the changes of `guestId`. Absent: none. */
  ownersRevision?: number
  /** The guests who have taken it back, and when: each can restore it for 30 s. Emptied by the next who takes it back. */
  takenBackBy?: { guestId: string; at: Date }[]
  /** The guests who have reported it. */
  reports?: string[]
  /** Whether an organiser has shown it after a report. */
  isReportReviewed?: boolean
  /** CRC-32 of the original. Absent until the media worker has computed it. */
  crc32?: number
  /** When `upload.completed` was last written. */
  processingRequestedAt: Date
  /** How often `upload.completed` has been written again. Absent: never. */
  processingRequests?: number
  /** When it is written again if the upload is still processing. */
  processingDueAt: Date
  /** Of the decoders that have last processed it. Absent where those before version 1 have, or none. */
  decoderVersion?: number
  /** When the rendition of a video was last requested. Absent until the video is ready. */
  renditionRequestedAt?: Date
  /** How often uploads has requested it again. Absent: never. */
  renditionRequests?: number
  /** When it is requested again. Absent: the rendition is stored, or was requested for the last time. */
  renditionDueAt?: Date
  /** When the copy of a photo was last requested alone. Absent: never. */
  copyRequestedAt?: Date
  /** How often. Absent: never. */
  copyRequests?: number
  /** When it is requested if it is missing. Absent: it is stored, was requested for the last time, or its event has allowed none. */
  copyDueAt?: Date
  /** A deleted upload is listed nowhere; its record stays until its messages have been published. */
  deleted: boolean
  deletedAt?: Date
  /**
   * When it is deleted for good. Present if the last of its owners has taken it back: until then it is deleted, keeps its
   * unique keys and its bytes, and can be restored.
   */
  deletionDueAt?: Date
  /** The id of the upload with the same bytes that it was merged into. Absent: it was not. */
  mergedInto?: string
}

export const createUploadModel = (connection: Connection) => {
  const schema = new Schema<UploadDocument>({
    eventId: { type: String, required: true },
    photoCredit: { type: String, required: true },
    originalName: { type: String, required: true },
    filename: { type: String, required: true },
    filenameKey: { type: String, required: true, unique: true },
    contentKey: { type: String, required: true, unique: true },
    contentType: { type: String, required: true },
    size: { type: Number, required: true },
    sha256: { type: String, required: true },
    isHashUnverified: Boolean,
    changedAt: Date,
    visibility: String,
    guestId: Schema.Types.Mixed,
    takenBackBy: { type: [{ _id: false, guestId: String, at: Date }], default: undefined },
    ownersRevision: Number,
    reports: { type: [String], default: undefined },
    isReportReviewed: Boolean,
    crc32: Number,
    uploadedAt: { type: Date, required: true },
    status: { type: String, required: true },
    processingRequestedAt: { type: Date, required: true },
    processingRequests: Number,
    processingDueAt: { type: Date, required: true },
    renditionRequestedAt: Date,
    renditionRequests: Number,
    renditionDueAt: Date,
    copyRequestedAt: Date,
    copyRequests: Number,
    copyDueAt: Date,
    copy: { type: { size: Number, crc32: Number }, _id: false, default: undefined },
    failureReason: String,
    decoderVersion: Number,
    width: Number,
    height: Number,
    durationSeconds: Number,
    isDamaged: Boolean,
    consent: { type: { _id: false, version: String, at: String }, default: undefined },
    lastModified: Number,
    takenAt: String,
    takenAtSource: String,
    capturedAt: Date,
    captureSource: String,
    captureZone: String,
    hasRendition: Boolean,
    deleted: { type: Boolean, required: true },
    deletedAt: Date,
    deletionDueAt: Date,
    mergedInto: String,
  })
    .index({ eventId: 1, deleted: 1, uploadedAt: -1, _id: -1 })
    .index({ eventId: 1, deleted: 1, capturedAt: 1, _id: 1 })
    .index({ eventId: 1, deleted: 1, status: 1, visibility: 1, uploadedAt: -1, _id: -1 })
    // Covers the query of a gallery's names, too.
    .index({ eventId: 1, deleted: 1, status: 1, visibility: 1, photoCredit: 1, uploadedAt: -1, _id: -1 })
    .index({ guestId: 1, eventId: 1, deleted: 1, uploadedAt: -1, _id: -1 })
    .index({ eventId: 1, changedAt: -1, _id: -1 })
    .index({ status: 1, processingDueAt: 1 })
    .index({ renditionDueAt: 1 })
    .index({ copyDueAt: 1 })
    .index({ deletionDueAt: 1 })
    // Covers the query of an event's total.
    .index({ eventId: 1, deleted: 1, photoCredit: 1, size: 1 })
    .index({ deleted: 1, deletedAt: 1 })
  outboxPlugin(schema)
  return connection.model<UploadDocument>('Upload', schema)
}
/** Reads documents without their outbox. */
export const withoutOutbox = { outbox: 0 } as const

export type UploadModel = ReturnType<typeof createUploadModel>

/** The ids of the uploads that match `filter`, at most `limit` if it is given. */
export const findUploadIds = async (
  model: UploadModel,
  filter: QueryFilter<UploadDocument>,
  limit?: number,
): Promise<string[]> => {
  const query = model.find(filter, { _id: 1 })
  const documents = await (limit === undefined ? query : query.limit(limit)).lean()
  return documents.map(({ _id }) => _id.toHexString())
}

export interface UploadPage {
  uploads: StoredUpload[]
  /** The position after which the next page starts. */
  next?: Position
}

/** One page of the uploads that match `filter`. */
export const findUploadPage = async (
  model: UploadModel,
  filter: QueryFilter<UploadDocument>,
  request: PageRequest,
  order: UploadOrder = 'uploaded',
): Promise<UploadPage> => {
  const sorting =
    order === 'uploaded'
      ? ({ time: 'uploadedAt', first: 'newest' } as const)
      : ({ time: 'capturedAt', first: 'oldest' } as const)
  const { documents, next } = await findPage<UploadDocument>(
    model,
    { filter, ...sorting, projection: withoutOutbox },
    request,
  )
  return { uploads: documents.map(toStoredUpload), ...(next && { next }) }
}
