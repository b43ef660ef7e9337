import { isDuplicateKey } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'

interface Mark {
  at: Date
  /** The time in the container when this was written; absent if there was none. */
  containerAt?: Date | undefined
}

interface MarkDocument extends Mark {
  _id: string
}

const _id = 'database'

/** When the service last wrote to this database. One that was restored from a backup has the time of the backup. */
export const createHighWaterMark = (connection: Connection) => {
  const model = connection.model<MarkDocument>(
    'HighWaterMark',
    new Schema<MarkDocument>({ _id: String, at: { type: Date, required: true }, containerAt: Date }),
  )
  return {
    read: async (): Promise<Mark | undefined> => {
      const document = await model.findById(_id).lean()
      if (!document) return undefined
      const { at, containerAt } = document
      return { at, ...(containerAt && { containerAt }) }
    },

    /** False if it is not `before` any more. */
    replace: async (before: Date | undefined, mark: Mark): Promise<boolean> => {
      if (before) return (await model.updateOne({ _id, at: before }, { $set: mark })).matchedCount === 1
      try {
        await model.create({ _id, ...mark })
        return true
      } catch (error) {
        if (isDuplicateKey(error)) return false
        throw error
      }
    },
  }
}
