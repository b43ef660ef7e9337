import { isDuplicateKey } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'

interface MarkDocument {
  _id: string
  at: Date
}

const _id = 'database'

/** When the service last wrote to this database. One that was restored from a backup has the time of the backup. */
export const createHighWaterMark = (connection: Connection) => {
  const model = connection.model<MarkDocument>(
    'HighWaterMark',
    new Schema<MarkDocument>({ _id: String, at: { type: Date, required: true } }),
  )
  return {
    read: async (): Promise<Date | undefined> => (await model.findById(_id).lean())?.at,

    /** False if it is not `before` any more. */
    replace: async (before: Date | undefined, at: Date): Promise<boolean> => {
      if (before) return (await model.updateOne({ _id, at: before }, { $set: { at } })).matchedCount === 1
      try {
        await model.create({ _id, at })
        return true
      } catch (error) {
        if (isDuplicateKey(error)) return false
        throw error
      }
    },
  }
}
export type HighWaterMark = ReturnType<typeof createHighWaterMark>
