import type { UploadOrder, UploadTotal, UploadVisibility } from '@confetti/contracts'
import { addToOutbox, auditMessage, type Message } from '@confetti/messaging'
import { changeUntilWritten, computeTotals, isDuplicateKey, type PageRequest } from '@confetti/service-kit'
import type { QueryFilter } from 'mongoose'
import { uploadBusy } from '../rejections.ts'
import { changedMessage, type ChangeUpload } from './change-upload.ts'
import {
  deletion,
  findUploadIds,
  findUploadPage,
  kept,
  takenBack,
  toStoredUpload,
  toStoredVisibility,
  type OnDeleted,
  type UploadDocument,
  type UploadModel,
  type UploadPage,
  withoutOutbox,
} from './upload-model.ts'
import type { UploadOwners } from './upload-owners.ts'

const count = async (model: UploadModel, filter: QueryFilter<UploadDocument>): Promise<UploadTotal> => {
  const fields = { distinct: 'photoCredit', sum: 'size' } as const
  const { documents, distinct, sum } = await computeTotals(model, filter, fields)
  return { files: documents, guests: distinct, bytes: sum }
}

/** The total of an event's uploads. */
const countStored = (model: UploadModel, eventId: string): Promise<UploadTotal> =>
  count(model, { eventId, deleted: false })

/** What uses up the quota of an event: also what has been taken back, as it may be restored. */
export const countKept = async (
  model: UploadModel,
  eventId: string,
): Promise<Pick<UploadTotal, 'files' | 'bytes'>> => {
  const stored = await countStored(model, eventId)
  const { files, bytes } = await count(model, { eventId, ...takenBack })
  return { files: stored.files + files, bytes: stored.bytes + bytes }
}

const createTotals = (model: UploadModel) => {
  const pendingTotals = new Map<string, Promise<UploadTotal>>()
  const count = async (eventId: string): Promise<UploadTotal> => {
    const [total, waiting] = await Promise.all([
      countStored(model, eventId),
      model.countDocuments({ eventId, deleted: false, visibility: 'pending' }),
    ])
    return { ...total, waiting }
  }

  return (eventId: string): Promise<UploadTotal> => {
    const pending =
      pendingTotals.get(eventId) ??
      count(eventId).finally(() => {
        pendingTotals.delete(eventId)
      })
    pendingTotals.set(eventId, pending)
    return pending
  }
}

/** What members see and change, and what guests see of their own uploads. */
export const createLibraryStore = (
  model: UploadModel,
  { change, wakeRelay, onDeleted }: { change: ChangeUpload; wakeRelay: () => void; onDeleted: OnDeleted },
) => ({
  /** One page of an event's uploads. */
  list: (eventId: string, request: PageRequest, order: UploadOrder): Promise<UploadPage> =>
    findUploadPage(model, { eventId, deleted: false }, request, order),

  /** One page of what a guest owns in an event, newest first. */
  listByGuest: (eventId: string, guestId: string, request: PageRequest): Promise<UploadPage> =>
    findUploadPage(model, { guestId, eventId, deleted: false }, request),

  /** The total of an event's uploads. Concurrent calls for one event share one query. */
  total: createTotals(model),

  /**
   * Sets whether guests see an upload of an event, together with its `upload.changed` message and its entry in the audit
   * log. Nothing is written for one that has this visibility already. One that has been taken back gets it, too, for when it
   * is restored, and is not found.
   */
  setVisibility: async (
    eventId: string,
    id: string,
    visibility: UploadVisibility,
  ): Promise<'changed' | 'unchanged' | 'not_found'> => {
    const outcome = await change<'changed' | 'unchanged' | 'not_found'>({ _id: id, eventId }, (upload) => {
      const { visibility: from } = toStoredUpload(upload)
      const review = visibility === 'visible' && upload.reports ? { isReportReviewed: true } : {}
      if (from === visibility)
        return {
          result: upload.deleted ? 'not_found' : 'unchanged',
          ...(review.isReportReviewed && { update: { $set: review } }),
        }
      const audit = auditMessage({
        action: 'upload.visibility-changed',
        subject: { type: 'upload', id },
        eventId,
        details: { visibility: { from, to: visibility } },
      })
      const set = { visibility: toStoredVisibility(visibility), ...review }
      const update = addToOutbox<UploadDocument>(set, changedMessage(upload, { visibility }), audit)
      return { result: upload.deleted ? 'not_found' : 'changed', update }
    })
    return outcome ?? 'not_found'
  },

  /**
   * Marks an upload as deleted for good, together with its `upload.deleted` message and its entry in the audit log; false if
   * there is none, in this event if one is given.
   */
  markDeleted: async (id: string, at: Date, ofEvent?: string): Promise<boolean> => {
    const filter = { _id: id, ...kept, ...(ofEvent !== undefined && { eventId: ofEvent }) }
    const upload = await model.findOne(filter, { eventId: 1, size: 1 }).lean()
    if (!upload) return false
    const { eventId } = upload
    const audit = auditMessage({ action: 'upload.deleted', subject: { type: 'upload', id }, eventId })
    const updated = await model.updateOne({ _id: id, ...kept }, deletion(id, eventId, at, audit))
    const isDeleted = updated.modifiedCount === 1
    if (isDeleted) onDeleted(upload)
    wakeRelay()
    return isDeleted
  },
})

/** The content key of an upload under another credit, which is the end of the key. */
const keyUnder = (
  credit: string,
  { contentKey, photoCredit }: Pick<UploadDocument, 'contentKey' | 'photoCredit'>,
): string => contentKey.slice(0, contentKey.length - photoCredit.length) + credit

/** The changes of the credits under which guests have sent their uploads. */
export const createRenameStore = (
  model: UploadModel,
  { change, mergeInto }: { change: ChangeUpload; mergeInto: UploadOwners['mergeInto'] },
) => {
  /** Merges an upload and the one with the same bytes under this credit. Returns whether that is the one that stays. */
  const merge = async (
    id: string,
    credit: string,
    { at, toAudit }: { at: Date; toAudit: (eventId: string) => Message[] },
  ): Promise<boolean> => {
    const upload = await model.findById(id, withoutOutbox).lean()
    const other =
      upload && (await model.findOne({ contentKey: keyUnder(credit, upload) }, withoutOutbox).lean())
    // One of them was deleted meanwhile.
    if (!other) return false
    const otherId = other._id.toHexString()
    if (upload.uploadedAt >= other.uploadedAt) return mergeInto(id, otherId, at, ...toAudit(upload.eventId))
    await mergeInto(otherId, id, at)
    return false
  }

  return {
    /** The uploads that a guest has sent to an event, and those that this guest has taken back and may restore. */
    listSentBy: async (eventId: string, guestId: string): Promise<string[]> => [
      ...(await findUploadIds(model, { guestId, eventId, deleted: false })),
      ...(await findUploadIds(model, { eventId, ...takenBack, 'takenBackBy.guestId': guestId })),
    ],

    /** The uploads of an event under a credit, and those that were taken back and may be restored. */
    listUnder: async (eventId: string, photoCredit: string): Promise<string[]> => [
      ...(await findUploadIds(model, { eventId, deleted: false, photoCredit })),
      ...(await findUploadIds(model, { eventId, ...takenBack, photoCredit })),
    ],

    /**
     * Gives an upload another credit, together with its `upload.changed` message, and its entry in the audit log if a member
     * does it. If it then equals another one, the newer of the two is merged into the older. False if it has this credit, or
     * was deleted for good.
     */
    rename: async (
      id: string,
      photoCredit: string,
      { at, isAudited }: { at: Date; isAudited: boolean },
    ): Promise<boolean> => {
      const toAudit = (eventId: string): Message[] =>
        isAudited
          ? [auditMessage({ action: 'upload.renamed', subject: { type: 'upload', id }, eventId })]
          : []
      const attempt = async (): Promise<boolean | undefined> => {
        try {
          const isChanged = await change({ _id: id }, (upload) => {
            if (upload.photoCredit === photoCredit) return { result: false }
            const set = { photoCredit, contentKey: keyUnder(photoCredit, upload) }
            const messages = [changedMessage(upload, {}), ...toAudit(upload.eventId)]
            return { result: true, update: addToOutbox<UploadDocument>(set, ...messages) }
          })
          return isChanged ?? false
        } catch (error) {
          if (!isDuplicateKey(error)) throw error
        }
        return (await merge(id, photoCredit, { at, toAudit })) || undefined
      }
      return changeUntilWritten(attempt, uploadBusy)
    },
  }
}
