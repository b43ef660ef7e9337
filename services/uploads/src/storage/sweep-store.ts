import { earlierPeriods, type IdPeriod } from '@confetti/blob-storage'
import { changeMany, upsertWithRetry, type Clock } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'

interface PeriodDocument {
  /** How the ids of the period begin. */
  _id: string
  startsAt: Date
  endsAt: Date
}

const MAX_KNOWN = 10_000

/** The periods in which guests may have sent files, of which the sweep has not read the names in blob storage. */
const createUnreadPeriods = (connection: Connection) => {
  const model = connection.model<PeriodDocument>(
    'UnreadPeriod',
    new Schema<PeriodDocument>({
      _id: String,
      startsAt: { type: Date, required: true },
      endsAt: { type: Date, required: true },
    }).index({ startsAt: 1 }),
  )
  const write = async (periods: readonly IdPeriod[]): Promise<void> => {
    const changes = periods.map(({ prefix, startsAt, endsAt }) => ({
      updateOne: {
        filter: { _id: prefix },
        update: { $setOnInsert: { startsAt: new Date(startsAt), endsAt: new Date(endsAt) } },
        upsert: true,
      },
    }))
    await upsertWithRetry(() => changeMany(model, changes))
  }
  /** What this process has added or is adding, by prefix: it writes once for all files of a period. */
  const added = new Map<string, Promise<void>>()

  return {
    createIndexes: () => model.createIndexes(),

    add: async (periods: readonly IdPeriod[]): Promise<void> => {
      if (added.size >= MAX_KNOWN) added.clear()
      const unknown = periods.filter(({ prefix }) => !added.has(prefix))
      if (unknown.length > 0) {
        const written = write(unknown)
        for (const { prefix } of unknown) added.set(prefix, written)
        written.catch(() => {
          for (const { prefix } of unknown) added.delete(prefix)
        })
      }
      await Promise.all(periods.flatMap(({ prefix }) => added.get(prefix) ?? []))
    },

    /** At most `limit` periods that began before `before`, the oldest first. */
    list: async (before: Date, limit: number): Promise<IdPeriod[]> => {
      const documents = await model
        .find({ startsAt: { $lt: before } })
        .sort({ startsAt: 1 })
        .limit(limit)
        .lean()
      return documents.map(({ _id, startsAt, endsAt }) => ({
        prefix: _id,
        startsAt: startsAt.getTime(),
        endsAt: endsAt.getTime(),
      }))
    },

    /** Those of the prefixes that have not been read. */
    findPrefixes: async (prefixes: readonly string[]): Promise<string[]> =>
      (await model.find({ _id: { $in: prefixes } }, { _id: 1 }).lean()).map(({ _id }) => _id),

    remove: async (prefix: string): Promise<void> => {
      await model.deleteOne({ _id: prefix })
    },
  }
}

interface OrphanDocument {
  /** The id of an upload that had no record, or has left staged blocks. */
  _id: string
  removableAt: Date
}

/** An upload whose blobs the sweep removes at a time, if it has no record then. */
interface Orphan {
  id: string
  removableAt: Date
}

/** What the sweep has found and will remove. */
const createOrphans = (connection: Connection) => {
  const model = connection.model<OrphanDocument>(
    'Orphan',
    new Schema<OrphanDocument>({ _id: String, removableAt: { type: Date, required: true } }).index({
      removableAt: 1,
    }),
  )
  return {
    createIndexes: () => model.createIndexes(),

    /** Adds those that are not there. */
    add: async (orphans: readonly Orphan[]): Promise<void> => {
      const changes = orphans.map(({ id, removableAt }) => ({
        updateOne: { filter: { _id: id }, update: { $setOnInsert: { removableAt } }, upsert: true },
      }))
      await upsertWithRetry(() => changeMany(model, changes))
    },

    /** At most `limit` that are removable at `at`, the oldest first. */
    list: async (at: Date, limit: number): Promise<Orphan[]> => {
      const documents = await model
        .find({ removableAt: { $lte: at } })
        .sort({ removableAt: 1 })
        .limit(limit)
        .lean()
      return documents.map(({ _id, removableAt }) => ({ id: _id, removableAt }))
    },

    /** The number of those that are removable at `at`. */
    count: (at: Date): Promise<number> => model.countDocuments({ removableAt: { $lte: at } }),

    /** Lets others that are removable come first. */
    postpone: async (ids: readonly string[], removableAt: Date): Promise<void> => {
      await model.updateMany({ _id: { $in: ids } }, { $set: { removableAt } })
    },

    remove: async (ids: readonly string[]): Promise<void> => {
      await model.deleteMany({ _id: { $in: ids } })
    },
  }
}

const DAY_MS = 24 * 3_600_000
// Azure removes uncommitted blocks after a week.
const LOOK_BACK_MS = 8 * DAY_MS

/**
 * What the sweep remembers of blob storage, so that it reads each name once. What earlier versions have sent lately, and
 * may send for a day while this one is rolled out, is unread.
 */
export const createSweepStore = async (connection: Connection, clock: Clock) => {
  const [unreadPeriods, orphans] = [createUnreadPeriods(connection), createOrphans(connection)]
  await unreadPeriods.createIndexes()
  await orphans.createIndexes()
  const now = clock().getTime()
  await unreadPeriods.add(earlierPeriods(now - LOOK_BACK_MS, now + DAY_MS))
  return { unreadPeriods, orphans }
}
