import { addToOutbox, auditMessage, type Message } from '@confetti/messaging'
import { changeUntilWritten, isDuplicateKey } from '@confetti/service-kit'
import { uploadBusy } from '../rejections.ts'
import { changedMessage, type ChangeUpload } from './change-upload.ts'
import {
  findUploadIds,
  takenBack,
  withoutOutbox,
  type UploadDocument,
  type UploadModel,
} from './upload-model.ts'
import type { UploadOwners } from './upload-owners.ts'

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
