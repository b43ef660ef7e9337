import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { currentPeriod, newUploadId } from '@confetti/blob-storage'
import {
  maxUploadRequestBytes,
  MB,
  type EventCopy,
  type MediaType,
  type UploadLimits,
} from '@confetti/contracts'
import { AppError, internalError, invalid, toAppError, tooLarge, withUploadId } from '@confetti/service-kit'
import type { Deps } from '../../deps.ts'
import { toOriginalName } from '../../file-names.ts'
import { emptyFile, eventMissing, fileTooLarge, noFiles, unsupportedFile } from '../../rejections.ts'
import type { AddedUpload } from '../../upload.ts'
import type { AcceptUploads } from '../acceptance.ts'
import { detectMediaType, peekHead } from '../media-type.ts'
import { parseCredit, type Sender } from '../sender.ts'
import { readMultipart, type FormPart } from './read-multipart.ts'

/** A file in blob storage that has no record yet. */
interface ReceivedFile {
  _id: string
  originalName: string
  contentType: MediaType
  size: number
  sha256: string
  /** As the field before the file says. */
  lastModified?: number
}
interface RejectedFile {
  originalName: string
  error: AppError
}

interface ReceivedForm {
  eventId: string
  photoCredit: string
  /** What the guest has agreed to, if the event asked for it. */
  consentVersion: string | undefined
  files: (ReceivedFile | RejectedFile)[]
}

export interface StoredForm {
  stored: (AddedUpload & { originalName: string })[]
  rejected: RejectedFile[]
}

/** How much of a body is accepted before its event is named. */
const MAX_BYTES_BEFORE_EVENT = MB

const tooManyFiles = ({ MAX_FILES_PER_REQUEST }: UploadLimits) =>
  invalid(`At most ${MAX_FILES_PER_REQUEST} files can be sent at once.`, { code: 'too_many_files' })
/** Reads the field that says when the file after it last changed; undefined if it is empty. Throws `invalid`. */
const parseLastModified = (text: string): number | undefined => {
  if (!text.trim()) return undefined
  const lastModified = Number(text)
  if (Number.isSafeInteger(lastModified)) return lastModified
  const message = 'lastModified is a whole number of milliseconds since 1970.'
  throw invalid(message, { details: [{ field: 'lastModified', message, code: 'malformed' }] })
}

const isEventId = (name: string, value: string): boolean => name === 'eventId' && value.trim() !== ''

const tooMuch = () => tooLarge('That is too much for one upload. Please send fewer files at once.')

const isReceived = (file: ReceivedFile | RejectedFile): file is ReceivedFile => '_id' in file

// A browser sends an empty part without a name if no file was chosen.
const isChosen = (file: ReceivedFile | RejectedFile): boolean =>
  isReceived(file) || file.error.code !== 'empty_file' || file.originalName !== toOriginalName('')

/** The error of a form of which no file was stored: that of the first file, with all of them in `details`. */
const allRejected = (rejected: readonly RejectedFile[]): AppError => {
  const first = rejected[0]?.error ?? internalError()
  return new AppError(first.kind, first.message, {
    code: first.code,
    cause: first.cause,
    ...(first.retryAfterSeconds !== undefined && { retryAfterSeconds: first.retryAfterSeconds }),
    details: rejected.map(({ originalName, error }) => ({
      field: originalName,
      message: error.message,
      code: error.code,
    })),
  })
}

/**
 * Adds the photos and videos of a guest's form to an event. What it returns as stored is durable: bytes in blob storage
 * and a committed record. If the process dies in between, blobs without a record are left, which the sweep removes; there
 * is never a record without a blob. Throws if nothing was stored.
 */
export const createForms = (
  { config, blobs, events, formSlots, unreadPeriods, clock, metrics, logger }: Deps,
  acceptUploads: AcceptUploads,
) => {
  let removals: Promise<unknown> = Promise.resolve()
  /**
   * In the background: the guest's answer does not depend on it, and the sweep removes what is left. One after another:
   * many forms may fail at once, because blob storage does.
   */
  const remove = (uploadId: string): void => {
    removals = removals
      .then(() => blobs.removeAll(uploadId))
      .catch((error: unknown) => {
        logger.warn(
          { err: error, uploadId },
          'failed to remove a blob that is not needed; the sweep removes it',
        )
      })
  }

  /**
   * Streams one file into blob storage, and determines its type, size and hash. A file that is not accepted is returned as
   * rejected, perhaps before its end. Throws if it cannot be stored, or if `checkEvent` throws at its end.
   */
  const receiveFile = async (
    _id: string,
    { sentName, bytes }: Extract<FormPart, { kind: 'file' }>,
    { buffer, checkEvent }: { buffer: Buffer; checkEvent: () => Promise<void> },
  ): Promise<ReceivedFile | RejectedFile> => {
    const originalName = toOriginalName(sentName)
    const hash = createHash('sha256')
    let size = 0
    const measured = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length
        if (size > config.MAX_FILE_BYTES) throw fileTooLarge(config)
        hash.update(chunk)
        yield chunk
      }
      await checkEvent()
    }
    const { head, all } = await peekHead(bytes)
    if (head.length === 0) return { originalName, error: emptyFile() }
    const contentType = await detectMediaType(head)
    if (!contentType) return { originalName, error: unsupportedFile() }
    try {
      await blobs.writeOriginal(_id, measured(all), { contentType, buffer })
      return { _id, originalName, contentType, size, sha256: hash.digest('hex') }
    } catch (error) {
      remove(_id)
      if (error instanceof AppError && error.code === 'too_large') return { originalName, error }
      // Of the client or the event, whose form ends here, or of blob storage, where the next file would fail, too.
      if (toAppError(error).status >= 500) logger.error({ err: error }, 'failed to store file')
      throw error
    }
  }

  /** Reads a whole form, with fields and files in any order. Throws if it is invalid or cannot be stored now. */
  const receive = async (request: IncomingMessage, buffer: Buffer, begunAt: Date): Promise<ReceivedForm> => {
    const files: ReceivedForm['files'] = []
    let event: EventCopy | undefined
    let isEventNamed = false
    let sentVersion: string | undefined
    let consent: { version: string | undefined } | undefined
    let photoCredit: string | undefined
    let lastModified: number | undefined
    // The form may take hours. Of an event that is deleted meanwhile nothing may be stored, nor while that is unknown.
    const checkEvent = async (): Promise<void> => {
      if (event) await events.getOpen(event._id, begunAt)
    }
    // Once, before the first file of the event: a change that comes later refuses nothing of this form.
    const checkConsent = async (): Promise<void> => {
      if (event) consent ??= { version: await events.findConsent(event, sentVersion) }
    }
    const checkLength = (bytes: number): void => {
      if (!isEventNamed && bytes > MAX_BYTES_BEFORE_EVENT)
        throw eventMissing([
          { field: 'eventId', message: 'Send the event ID before the files.', code: 'event_id_missing' },
        ])
      if (bytes > maxUploadRequestBytes(config)) throw tooMuch()
    }
    const parts = readMultipart(request, {
      checkLength,
      // Small files are read on while the event is looked up.
      onField: (name, value) => (isEventNamed ||= isEventId(name, value)),
      maxFileBytes: config.MAX_FILE_BYTES,
      maxFiles: config.MAX_FILES_PER_REQUEST,
      minRateWindowMs: config.IDLE_TIMEOUT_MS,
      maxDurationMs: config.MAX_UPLOAD_DURATION_MS,
    })
    try {
      for await (const part of parts) {
        if (part.kind === 'file') {
          await checkConsent()
          const now = clock()
          const eventId = event?._id ?? ''
          const uploadId = newUploadId(eventId, now)
          await unreadPeriods.add([currentPeriod(eventId, now)])
          const file =
            files.length < config.MAX_FILES_PER_REQUEST
              ? await withUploadId(uploadId, () => receiveFile(uploadId, part, { buffer, checkEvent }))
              : { originalName: toOriginalName(part.sentName), error: tooManyFiles(config) }
          files.push(isReceived(file) && lastModified !== undefined ? { ...file, lastModified } : file)
          lastModified = undefined
          // The rest of a file that has been rejected.
          for await (const _ of part.bytes);
        }
        // Checked as soon as they arrive: after an early error the phone need not send the rest.
        else if (isEventId(part.name, part.value)) event ??= await events.getOpen(part.value)
        else if (part.name === 'photoCredit')
          photoCredit ??= parseCredit(part.value, config.MAX_CREDIT_CHARACTERS)
        else if (part.name === 'consentVersion') sentVersion ??= part.value
        else if (part.name === 'lastModified') lastModified = parseLastModified(part.value)
      }
      if (!event) throw eventMissing()
      const chosen = files.filter(isChosen)
      if (chosen.length === 0) throw noFiles()
      photoCredit ??= parseCredit(undefined, config.MAX_CREDIT_CHARACTERS)
      await checkConsent()
      await checkEvent()
      return { eventId: event._id, photoCredit, consentVersion: consent?.version, files: chosen }
    } catch (error) {
      for (const file of files) if (isReceived(file)) remove(file._id)
      throw error
    }
  }

  /** Writes the records of received files. */
  const store = async (
    { eventId, photoCredit, consentVersion, files }: ReceivedForm,
    sender: Sender,
    begunAt: Date,
  ): Promise<StoredForm> => {
    const received = files.filter(isReceived)
    // If this fails, the records may or may not have been written, so the blobs must stay.
    const outcomes = await acceptUploads(
      received.map((file) => ({
        upload: {
          ...file,
          eventId,
          photoCredit,
          uploadedAt: clock(),
          ...(consentVersion && { consent: { version: consentVersion, at: begunAt.toISOString() } }),
        },
        sender,
        begunAt,
      })),
    )
    const outcomeOf = new Map(received.map(({ _id }, index) => [_id, outcomes[index]]))
    const form: StoredForm = { stored: [], rejected: [] }
    for (const file of files) {
      const { originalName } = file
      const outcome = isReceived(file) ? outcomeOf.get(file._id) : file
      if (outcome && 'upload' in outcome) {
        const { upload, kind } = outcome
        form.stored.push({ ...outcome, originalName })
        metrics.stored(outcome, 'multipart')
        logger.info(
          { uploadId: upload._id, size: upload.size, duplicate: kind === 'duplicate' },
          'file stored',
        )
      } else {
        const error = outcome?.error ?? internalError()
        form.rejected.push({ originalName, error })
        metrics.rejected(error.code, 'multipart')
        logger.info({ code: error.code }, 'file rejected')
      }
      if (isReceived(file) && (!outcome || 'error' in outcome || outcome.kind === 'duplicate'))
        remove(file._id)
    }
    return form
  }

  return async (request: IncomingMessage, sender: Sender): Promise<StoredForm> => {
    if (Number(request.headers['content-length']) > maxUploadRequestBytes(config)) throw tooMuch()
    const begunAt = clock()
    const { buffer, release } = await metrics.phase('admit', formSlots.acquire)
    try {
      const received = await metrics.phase('receive', () => receive(request, buffer, begunAt))
      const form = await metrics.phase('record', () => store(received, sender, begunAt))
      if (form.stored.length === 0) throw allRejected(form.rejected)
      return form
    } finally {
      release()
    }
  }
}
