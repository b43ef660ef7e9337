import { UNDO_MS } from '@confetti/contracts'
import { addToOutbox, type Message } from '@confetti/messaging'
import type { UpdateQuery } from 'mongoose'
import type { StoredUpload } from '../upload.ts'
import { changedMessage, type ChangeUpload, type Lean } from './change-upload.ts'
import {
  deletion,
  kept,
  takenBack,
  toStoredUpload,
  withoutOutbox,
  type OnDeleted,
  type UploadDocument,
  type UploadModel,
} from './upload-model.ts'

/** Bounds a record, and its entries in an index, that guests can make grow by sending the same photo under new tokens. */
const MAX_OWNERS = 50
/**
 * An owner that is no guest, of what more guests have sent: the last of those who are remembered must not delete what
 * others have sent, too.
 */
const OTHERS = 'others'

const ownersOf = ({ guestId = [] }: Pick<UploadDocument, 'guestId'>): string[] => [guestId].flat()

const withOwners = (owners: readonly string[], added: readonly string[]): string[] => {
  const all = new Set([...owners, ...added])
  const hasOthers = all.delete(OTHERS) || all.size > MAX_OWNERS
  return [...[...all].slice(0, MAX_OWNERS), ...(hasOthers ? [OTHERS] : [])]
}

/** Bounds how far the merges of an upload are followed: each but the first takes a rename. */
const MAX_MERGES = 10

/** Who has taken an upload back, and can restore it. */
const listRestorers = ({ takenBackBy = [] }: Pick<UploadDocument, 'takenBackBy'>, now: Date) =>
  takenBackBy.filter(({ at }) => at.getTime() > now.getTime() - UNDO_MS)
const canRestore = (upload: Pick<UploadDocument, 'takenBackBy'>, guestId: string, now: Date): boolean =>
  listRestorers(upload, now).some((each) => each.guestId === guestId)

const countRevision = (update: UpdateQuery<UploadDocument>): UpdateQuery<UploadDocument> => ({
  ...update,
  $inc: { ...update.$inc, ownersRevision: 1 },
})

/** The update that gives an upload to these owners. One that has been taken back is restored by it. */
const ownedBy = (upload: Lean, guestId: string[]): UpdateQuery<UploadDocument> => {
  const takenBackBy = (upload.takenBackBy ?? []).filter((each) => !guestId.includes(each.guestId))
  const set = { guestId, takenBackBy }
  if (!upload.deletionDueAt) return countRevision({ $set: set })
  const restored = changedMessage(upload, {}, { isTakenBack: false })
  return countRevision({
    ...addToOutbox<UploadDocument>({ ...set, deleted: false }, restored),
    $unset: { deletedAt: '', deletionDueAt: '' },
  })
}

/** The update that makes guests owners of an upload, too; undefined if it changes nothing. */
const alsoOwnedBy = (upload: Lean, guestIds: readonly string[]): UpdateQuery<UploadDocument> | undefined => {
  if (upload.deletionDueAt) return ownedBy(upload, withOwners([], guestIds.length > 0 ? guestIds : [OTHERS]))
  const owners = ownersOf(upload)
  const all = withOwners(owners, guestIds)
  // Nobody can take back what was sent without a token; a second sender can't, either.
  const isUnchanged = owners.length === 0 || all.length === owners.length
  return isUnchanged ? undefined : ownedBy(upload, all)
}

/** The changes of who owns an upload. */
export const createUploadOwners = (
  model: UploadModel,
  { change, onDeleted }: { change: ChangeUpload; onDeleted: OnDeleted },
) => {
  /**
   * Runs `attempt` for an upload. If that returns undefined, and the upload was merged into another one, it runs for that,
   * and so on until the one that stays; it gets those that were merged.
   */
  const followMerges = async <R>(
    id: string,
    attempt: (id: string, merged: readonly Lean[]) => Promise<R | undefined>,
  ): Promise<R | undefined> => {
    const merged: Lean[] = []
    let next: string | undefined = id
    while (next !== undefined && merged.length <= MAX_MERGES) {
      const result = await attempt(next, merged)
      if (result !== undefined) return result
      const upload: Lean | null = await model.findById(next, withoutOutbox).readConcern('majority').lean()
      if (!upload) return undefined
      merged.push(upload)
      next = upload.mergedInto
    }
    return undefined
  }

  /**
   * Makes guests owners of an upload, too; false if there is none, or if it was deleted for good. They have sent it again:
   * one that has been taken back is theirs now, and listed again.
   */
  const addOwners = async (id: string, guestIds: readonly string[]): Promise<boolean> => {
    const isAdded = await change({ _id: id }, (upload) => ({
      result: true,
      update: alsoOwnedBy(upload, guestIds),
    }))
    return isAdded ?? false
  }

  return {
    addOwners,

    /** The event of an upload, also of one that was taken back. */
    findEventId: async (id: string): Promise<string | undefined> =>
      (await model.findById(id, { eventId: 1 }).lean())?.eventId,

    /** The upload that stays of one that was merged; undefined if it was not, or that one is gone. */
    findStaying: async ({ mergedInto }: Pick<UploadDocument, 'mergedInto'>): Promise<Lean | undefined> =>
      mergedInto === undefined
        ? undefined
        : followMerges(mergedInto, async (id) => {
            const upload = await model.findById(id, withoutOutbox).readConcern('majority').lean()
            return upload?.mergedInto === undefined ? (upload ?? undefined) : undefined
          }),

    /**
     * Makes a guest no owner any more. When its last owner takes it back, the upload is deleted, together with its
     * `upload.changed` message, for good after `UNDO_MS`. False if the guest does not own such an upload. Of one that was
     * merged while the guest owned it, the one that stays is taken back.
     */
    takeBack: async (id: string, guestId: string, at: Date): Promise<boolean> => {
      const isTakenBack = await followMerges(id, (eachId, merged) =>
        change({ _id: eachId }, (upload) => {
          const owners = ownersOf(upload)
          // One that the guest had taken back before it was merged is not taken back again.
          if (![upload, ...merged].every((each) => ownersOf(each).includes(guestId))) return { result: false }
          const others = owners.filter((owner) => owner !== guestId)
          const takenBackBy = [...listRestorers(upload, at), { guestId, at }].slice(-MAX_OWNERS)
          const set = { guestId: others, takenBackBy }
          if (others.length > 0) return { result: true, update: countRevision({ $set: set }) }
          const deleted = { deleted: true, deletedAt: at, deletionDueAt: new Date(at.getTime() + UNDO_MS) }
          const message = changedMessage(upload, {}, { isTakenBack: true })
          return { result: true, update: countRevision(addToOutbox({ ...set, ...deleted }, message)) }
        }),
      )
      return isTakenBack ?? false
    },

    /**
     * Makes a guest an owner again who took an upload back less than `UNDO_MS` before `now`, and returns it. One that nobody
     * else owned is listed again, together with its `upload.changed` message. Undefined if there is nothing to restore. If
     * its bytes have turned out to be those of another one, the guest becomes an owner of that.
     */
    restore: (id: string, guestId: string, now: Date): Promise<StoredUpload | undefined> =>
      followMerges(id, (eachId, merged) =>
        change<StoredUpload | undefined>({ _id: eachId }, (upload) => {
          const result = toStoredUpload(upload)
          // A call that is repeated because its answer was lost.
          if (ownersOf(upload).includes(guestId)) return { result }
          if (![upload, ...merged].some((each) => canRestore(each, guestId, now)))
            return { result: undefined }
          return { result, update: alsoOwnedBy(upload, [guestId]) }
        }),
      ),

    /** The uploads that had been taken back at `at`, and can't be restored by their guests any more at `now`. */
    listTakenBackAt: async (at: Date, now: Date): Promise<{ uploadId: string; eventId: string }[]> => {
      const filter = { deleted: true, deletionDueAt: { $lte: now }, deletedAt: { $lte: at } }
      const documents = await model.find(filter, { eventId: 1 }).lean()
      return documents.map(({ _id, eventId }) => ({ uploadId: _id.toHexString(), eventId }))
    },

    /**
     * Lists an upload again that has been taken back, together with its `upload.changed` message. Those who took it back own
     * it, and it waits for approval: it is not known whether they have restored it since.
     */
    undoTakeBack: async (id: string): Promise<void> => {
      await change({ _id: id, ...takenBack }, (upload) => {
        const guests = (upload.takenBackBy ?? []).map(({ guestId }) => guestId)
        const pending = { ...upload, visibility: 'pending' as const }
        const update = ownedBy(pending, withOwners([], guests))
        return { result: undefined, update: { ...update, $set: { ...update.$set, visibility: 'pending' } } }
      })
    },

    /**
     * Makes the owners of an upload owners of another one, and marks the upload as deleted for good, together with its
     * `upload.deleted` message and further ones; false if one of them is gone. One that has been taken back has no owners:
     * the other one stays as it is.
     */
    mergeInto: async (id: string, otherId: string, at: Date, ...messages: Message[]): Promise<boolean> => {
      const merged = await change<Lean | undefined>({ _id: id }, async (upload) => {
        const isThere = upload.deletionDueAt
          ? (await model.exists({ _id: otherId, ...kept })) !== null
          : await addOwners(otherId, ownersOf(upload))
        if (!isThere) return { result: undefined }
        const update = deletion(id, upload.eventId, at, ...messages)
        return { result: upload, update: { ...update, $set: { ...update.$set, mergedInto: otherId } } }
      })
      if (merged) onDeleted(merged)
      return merged !== undefined
    },
  }
}
export type UploadOwners = ReturnType<typeof createUploadOwners>
