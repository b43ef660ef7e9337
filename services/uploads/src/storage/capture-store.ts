import { setImmediate as nextTick } from 'node:timers/promises'
import { changeMany, findPage, type Clock, type Position } from '@confetti/service-kit'
import { findCapture } from '../capture-time.ts'
import { captureFields, takenBack, type UploadDocument, type UploadModel } from './upload-model.ts'

const BATCH_SIZE = 500

/** When uploads were taken, in the time zone of their event. */
export const createCaptureStore = (model: UploadModel, clock: Clock) => {
  /** Returns how many of the documents have another time or zone than before. */
  const refreshBatch = async (
    documents: readonly UploadDocument[],
    timeZone: string | undefined,
  ): Promise<number> => {
    const changes = documents.flatMap((document) => {
      const { capturedAt, captureSource, captureZone } = findCapture(document, timeZone)
      const isCurrent =
        document.capturedAt?.getTime() === capturedAt.getTime() &&
        document.captureSource === captureSource &&
        document.captureZone === captureZone
      if (isCurrent) return []
      // The media worker may have read the file meanwhile.
      const unchanged = { _id: document._id, takenAt: document.takenAt ?? null }
      const changedAt = clock()
      const update = captureSource
        ? { $set: { capturedAt, captureSource, captureZone, changedAt } }
        : { $set: { capturedAt, captureZone, changedAt }, $unset: { captureSource: '' as const } }
      return { updateOne: { filter: unchanged, update } }
    })
    await changeMany(model, changes)
    return changes.length
  }

  /**
   * Finds out again when the uploads of an event were taken, by what is stored of each and the time zone of the event.
   * Returns how many of them have another time or zone than before.
   */
  const refreshCaptures = async (
    eventId: string,
    timeZone: string | undefined,
    stopping?: AbortSignal,
  ): Promise<number> => {
    let changed = 0
    let after: Position | undefined
    do {
      stopping?.throwIfAborted()
      const page = await findPage<UploadDocument>(
        model,
        { filter: { eventId, deleted: false }, time: 'uploadedAt', projection: captureFields },
        { limit: BATCH_SIZE, after },
      )
      changed += await refreshBatch(page.documents, timeZone)
      after = page.next
      // Others have their turn between two batches.
      await nextTick()
    } while (after)
    // They may be restored. There are few at any time.
    const restorable = await model.find({ eventId, ...takenBack }, captureFields).lean<UploadDocument[]>()
    return changed + (await refreshBatch(restorable, timeZone))
  }

  return {
    refreshCaptures,

    /** Adds them to the uploads of an event that an earlier version has stored: these have no place in the order by them. */
    addMissingCaptures: async (eventId: string, timeZone: string | undefined): Promise<void> => {
      const isMissing = await model.exists({ eventId, deleted: false, capturedAt: null })
      if (isMissing) await refreshCaptures(eventId, timeZone)
    },
  }
}
