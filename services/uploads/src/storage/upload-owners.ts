import { changeUntilWritten, type Clock } from '@confetti/service-kit'
import type { UpdateQuery } from 'mongoose'
import { uploadBusy } from '../rejections.ts'
import { deletion, type OnDeleted, type UploadDocument, type UploadModel } from './upload-model.ts'

type Owned = Pick<UploadDocument, 'eventId' | 'size' | 'guestId' | 'ownersRevision'>

/** Bounds a record, and its entries in an index, that guests can make grow by sending the same photo under new tokens. */
const MAX_OWNERS = 50
/**
 * An owner that is no guest, of what more guests have sent: the last of those who are remembered must not delete what
 * others have sent, too.
 */
const OTHERS = 'others'

const ownersOf = ({ guestId = [] }: Pick<UploadDocument, 'guestId'>): string[] => [guestId].flat()

/** The changes of who owns an upload. Each is written only if the owners are still those that it was decided on. */
export const createUploadOwners = (
  model: UploadModel,
  { wakeRelay, onDeleted, clock }: { wakeRelay: () => void; onDeleted: OnDeleted; clock: Clock },
) => {
  /**
   * Changes an upload as `decide` says, which returns the update, if any, whether it deletes the upload, and the result;
   * false if there is no such upload.
   */
  const change = (
    id: string,
    decide: (
      upload: Owned,
    ) => Promise<{ update?: UpdateQuery<UploadDocument>; deletes?: boolean; result: boolean }>,
  ): Promise<boolean> =>
    changeUntilWritten(async () => {
      const projection = { eventId: 1, size: 1, guestId: 1, ownersRevision: 1 } as const
      const upload = await model.findOne({ _id: id, deleted: false }, projection).lean<Owned>()
      if (!upload) return false
      const { update, deletes, result } = await decide(upload)
      if (!update) return result
      const { ownersRevision = null } = upload
      const { matchedCount } = await model.updateOne(
        { _id: id, deleted: false, ownersRevision },
        {
          ...update,
          $set: { ...update.$set, changedAt: clock() },
          $inc: { ...update.$inc, ownersRevision: 1 },
        },
      )
      if (matchedCount === 0) return undefined
      if (deletes) onDeleted(upload)
      wakeRelay()
      return result
    }, uploadBusy)

  /** Makes guests owners of an upload, too; false if there is none, or if it was deleted. */
  const addOwners = (id: string, guestIds: readonly string[]): Promise<boolean> =>
    change(id, (upload) => {
      const owners = ownersOf(upload)
      const added = guestIds.filter((guestId) => !owners.includes(guestId))
      // Nobody can take back what was sent without a token; a second sender can't, either.
      const isUnchanged = owners.length === 0 || added.length === 0 || owners.length > MAX_OWNERS
      const all = [...owners, ...added]
      const guestId = all.length > MAX_OWNERS ? [...new Set([...all.slice(0, MAX_OWNERS), OTHERS])] : all
      return Promise.resolve({ result: true, ...(!isUnchanged && { update: { $set: { guestId } } }) })
    })

  return {
    addOwners,

    /**
     * Makes a guest no owner any more. Marks the upload as deleted, together with its `upload.deleted` message, when its
     * last owner takes it back. False if the guest does not own such an upload.
     */
    takeBack: (id: string, guestId: string, at: Date): Promise<boolean> =>
      change(id, (upload) => {
        const owners = ownersOf(upload)
        if (!owners.includes(guestId)) return Promise.resolve({ result: false })
        const others = owners.filter((owner) => owner !== guestId)
        return Promise.resolve(
          others.length > 0
            ? { result: true, update: { $set: { guestId: others } } }
            : { result: true, update: deletion(id, upload.eventId, at), deletes: true },
        )
      }),

    /**
     * Makes the owners of an upload owners of another one, and marks the upload as deleted, together with its
     * `upload.deleted` message; false if one of them is gone.
     */
    mergeInto: (id: string, otherId: string, at: Date): Promise<boolean> =>
      change(id, async (upload) => {
        const isMerged = await addOwners(otherId, ownersOf(upload))
        if (!isMerged) return { result: false }
        const update = deletion(id, upload.eventId, at)
        return {
          result: true,
          update: { ...update, $set: { ...update.$set, mergedInto: otherId } },
          deletes: true,
        }
      }),
  }
}
export type UploadOwners = ReturnType<typeof createUploadOwners>
