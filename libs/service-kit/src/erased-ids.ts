import { createHash } from 'node:crypto'
import { Schema, type Connection } from 'mongoose'
import type { Clock } from './clock.ts'
import { upsertWithRetry } from './mongo.ts'

interface ErasedIdDocument {
  /** SHA-256 of the id, so that the id itself is found nowhere any more. */
  _id: string
  erasedAt: Date
}

// Longer than any message waits, dead letters that are sent again by hand included.
const LIFE_MS = 90 * 24 * 3_600_000

const hash = (id: string): string => createHash('sha256').update(id).digest('hex')

/**
 * Remembers which records were erased, because messages about them may still arrive. To erase: `add`, then remove the
 * record. To write a record because of a message: write it, then remove it if `has` its id. In whatever order these
 * happen, no record is left.
 */
export const createErasedIds = (connection: Connection, clock: Clock) => {
  const model = connection.model<ErasedIdDocument>(
    'ErasedId',
    new Schema<ErasedIdDocument>({ _id: String, erasedAt: { type: Date, required: true } }),
  )
  return {
    add: async (id: string): Promise<void> => {
      await upsertWithRetry(() =>
        model.updateOne({ _id: hash(id) }, { $setOnInsert: { erasedAt: clock() } }, { upsert: true }),
      )
    },
    has: async (id: string): Promise<boolean> => (await model.exists({ _id: hash(id) })) !== null,
    /** Removes those that were erased so long ago that no message about them is expected any more. */
    removeOld: async (): Promise<void> => {
      await model.deleteMany({ erasedAt: { $lt: new Date(clock().getTime() - LIFE_MS) } })
    },
  }
}
export type ErasedIds = ReturnType<typeof createErasedIds>
