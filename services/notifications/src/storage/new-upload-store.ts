import { isDuplicateKey, type Clock } from '@confetti/service-kit'
import type { NewUploadStore } from '../domain/digest.ts'
import type { NewUploadModel } from './new-upload-model.ts'

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
