import type { UploadTotal } from '@confetti/contracts'
import { upsertWithRetry, type Clock } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'

/** What an event has stored. */
type Amount = Pick<UploadTotal, 'files' | 'bytes'>

interface TotalDocument extends Amount {
  /** The id of the event. */
  _id: string
  /** When its uploads were last counted. */
  countedAt: Date
}

const SAVE_INTERVAL_MS = 1_000

/**
 * What events have stored, where it matters: counted once, and kept true by increments, which a process saves together
 * once a second. What it has not saved when it dies is missing until the uploads are counted again, once a day.
 */
export const createEventTotals = async (
  connection: Connection,
  {
    count,
    isErased,
    clock,
  }: {
    count: (eventId: string) => Promise<Amount>
    isErased: (eventId: string) => Promise<boolean>
    clock: Clock
  },
) => {
  const model = connection.model<TotalDocument>(
    'EventTotal',
    new Schema<TotalDocument>({
      _id: String,
      files: { type: Number, required: true },
      bytes: { type: Number, required: true },
      countedAt: { type: Date, required: true },
    }).index({ countedAt: 1 }),
  )
  await model.createIndexes()

  const unsaved = new Map<string, Amount>()
  /** The events of which an increment may be missing, as saving it has failed. */
  const uncertain = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  /** The latest work on the total of each event. */
  const latest = new Map<string, Promise<unknown>>()
  /** Does one thing after the other with a total: one that is read while an increment is being saved may lack it. */
  const inOrder = <T>(eventId: string, work: () => Promise<T>): Promise<T> => {
    const done = (latest.get(eventId) ?? Promise.resolve()).then(work, work).finally(() => {
      if (latest.get(eventId) === done) latest.delete(eventId)
    })
    latest.set(eventId, done)
    return done
  }

  const remove = async (eventId: string): Promise<void> => {
    unsaved.delete(eventId)
    await model.deleteOne({ _id: eventId })
  }

  /** Counts the uploads of an event. What other replicas have not saved yet is counted twice, until the next time. */
  const recount = (eventId: string, { upsert }: { upsert: boolean }): Promise<Amount> =>
    inOrder(eventId, async () => {
      unsaved.delete(eventId)
      const { files, bytes } = await count(eventId)
      const set = { $set: { files, bytes, countedAt: clock() } }
      await upsertWithRetry(() => model.updateOne({ _id: eventId }, set, { upsert }))
      uncertain.delete(eventId)
      // Only now: an erasure that begins after this check finds the total.
      if (await isErased(eventId)) await remove(eventId)
      return { files, bytes }
    })

  /** Saves the increments of an event. Returns its total, or undefined if it was never counted. */
  const saveIncrements = (eventId: string): Promise<Amount | undefined> => {
    // Those until now, although they are saved later: the caller adds up what comes after them.
    const increments = unsaved.get(eventId)
    unsaved.delete(eventId)
    return inOrder(eventId, async () => {
      if (!increments) return (await model.findById(eventId).lean()) ?? undefined
      try {
        const update = { $inc: { ...increments } }
        return (
          (await model.findByIdAndUpdate(eventId, update, { returnDocument: 'after' }).lean()) ?? undefined
        )
      } catch (error) {
        uncertain.add(eventId)
        throw error
      }
    })
  }

  const saveAll = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    // Of those that fail, the uploads are counted when it matters.
    for (const eventId of [...unsaved.keys()]) await saveIncrements(eventId).catch(() => undefined)
  }

  return {
    /** Counts files that an event has stored, or, with negative numbers, does not have any more. */
    add: (eventId: string, { files, bytes }: Amount): void => {
      const before = unsaved.get(eventId) ?? { files: 0, bytes: 0 }
      unsaved.set(eventId, { files: before.files + files, bytes: before.bytes + bytes })
      timer ??= setTimeout(() => void saveAll(), SAVE_INTERVAL_MS)
    },

    /** What an event has stored, with all that this process has added. */
    read: async (eventId: string): Promise<Amount> => {
      const total = uncertain.has(eventId) ? undefined : await saveIncrements(eventId)
      // Saving may have failed meanwhile. What a process that died had not saved may be more than there is.
      const isTrue = total && total.files >= 0 && total.bytes >= 0 && !uncertain.has(eventId)
      return isTrue ? total : recount(eventId, { upsert: true })
    },

    /** At most `limit` ids of events whose uploads were last counted before `before`. */
    listOld: async (before: Date, limit: number): Promise<string[]> => {
      const old = model.find({ countedAt: { $lt: before } }, { _id: 1 }).sort({ countedAt: 1 })
      return (await old.limit(limit).lean()).map(({ _id }) => _id)
    },

    /** Counts the uploads of an event again. */
    recount: async (eventId: string): Promise<void> => {
      await recount(eventId, { upsert: false })
    },

    remove,

    /** Saves what has been added. */
    close: saveAll,
  }
}
