import { isDuplicateKey, type Clock } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type { NewUploadStore } from '../digests/stores.ts'

interface NewUploadDocument {
  /** The upload's id. */
  _id: string
  eventId: string
  isVideo: boolean
  addedAt: Date
  /** The due time of the digest that reports it; null until there is one. */
  digest: Date | null
}

export const createNewUploadModel = (connection: Connection) => {
  const schema = new Schema<NewUploadDocument>({
    _id: { type: String, required: true },
    eventId: { type: String, required: true },
    isVideo: { type: Boolean, required: true },
    addedAt: { type: Date, required: true },
    digest: { type: Date, default: null },
  })
  schema.index({ eventId: 1, digest: 1, addedAt: 1 })
  schema.index({ addedAt: 1 })
  return connection.model<NewUploadDocument>('NewUpload', schema)
}
type NewUploadModel = ReturnType<typeof createNewUploadModel>

export const createNewUploadStore = ({
  model,
  clock,
}: {
  model: NewUploadModel
  clock: Clock
}): NewUploadStore => ({
  add: async (upload) => {
    try {
      await model.create({ ...upload, addedAt: clock() })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  },

  assign: async ({ eventId, dueAt }) => {
    await model.updateMany({ eventId, digest: null, addedAt: { $lte: dueAt } }, { $set: { digest: dueAt } })
  },

  count: async (eventId, from, to) => {
    const count = (isVideo: boolean) =>
      model.countDocuments({ eventId, digest: { $gte: from, $lte: to }, isVideo })
    return { photos: await count(false), videos: await count(true) }
  },

  hasUnassigned: async (eventId) => (await model.exists({ eventId, digest: null })) !== null,

  removeOfEvent: async (eventId) => {
    await model.deleteMany({ eventId })
  },

  removeOlderThan: async (before, limit) => {
    const uploads = await model
      .find({ addedAt: { $lt: before } }, { _id: 1 })
      .limit(limit)
      .lean()
    const { deletedCount } = await model.deleteMany({ _id: { $in: uploads.map(({ _id }) => _id) } })
    return deletedCount
  },
})
