import { isDuplicateKey, upsertWithRetry, type Clock } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type { DigestStore, NewUploadStore, UnsubscriptionStore } from '../digests/digests.ts'

// Each of these creates a store in a database, and its indexes.

interface NewUploadDocument {
  /** The upload's id. */
  _id: string
  eventId: string
  isVideo: boolean
  addedAt: Date
  /** The due time of the digest that reports it; null until there is one. */
  digest: Date | null
}

const createNewUploadModel = async (connection: Connection) => {
  const schema = new Schema<NewUploadDocument>({
    _id: { type: String, required: true },
    eventId: { type: String, required: true },
    isVideo: { type: Boolean, required: true },
    addedAt: { type: Date, required: true },
    digest: { type: Date, default: null },
  })
  schema.index({ eventId: 1, digest: 1, addedAt: 1 })
  schema.index({ addedAt: 1 })
  const model = connection.model<NewUploadDocument>('NewUpload', schema)
  await model.createIndexes()
  return model
}

export const createNewUploadStore = async (connection: Connection, clock: Clock): Promise<NewUploadStore> => {
  const model = await createNewUploadModel(connection)
  return {
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
  }
}

interface UnsubscriptionDocument {
  /** `<eventId>/<userId>`. */
  _id: string
  eventId: string
  userId: string
}

const createUnsubscriptionModel = async (connection: Connection) => {
  const schema = new Schema<UnsubscriptionDocument>({
    _id: { type: String, required: true },
    eventId: { type: String, required: true },
    userId: { type: String, required: true },
  })
  schema.index({ eventId: 1 })
  schema.index({ userId: 1 })
  const model = connection.model<UnsubscriptionDocument>('Unsubscription', schema)
  await model.createIndexes()
  return model
}

const idOf = (eventId: string, userId: string): string => `${eventId}/${userId}`

export const createUnsubscriptionStore = async (connection: Connection): Promise<UnsubscriptionStore> => {
  const model = await createUnsubscriptionModel(connection)
  return {
    add: async (eventId, userId) => {
      await upsertWithRetry(() =>
        model
          .updateOne({ _id: idOf(eventId, userId) }, { $set: { eventId, userId } }, { upsert: true })
          .exec(),
      )
    },
    has: async (eventId, userId) => (await model.exists({ _id: idOf(eventId, userId) })) !== null,
    removeOfUser: async (userId) => {
      await model.deleteMany({ userId })
    },
    removeOfEvent: async (eventId) => {
      await model.deleteMany({ eventId })
    },
  }
}

interface DigestDocument {
  /** The event's id. */
  _id: string
  dueAt: Date
  leaseUntil: Date
}

const createDigestModel = async (connection: Connection) => {
  const schema = new Schema<DigestDocument>({
    _id: { type: String, required: true },
    dueAt: { type: Date, required: true },
    leaseUntil: { type: Date, required: true },
  })
  schema.index({ dueAt: 1 })
  const model = connection.model<DigestDocument>('Digest', schema)
  await model.createIndexes()
  return model
}

const QUERY_TIMEOUT_MS = 2_000

export const createDigestStore = async (connection: Connection, clock: Clock): Promise<DigestStore> => {
  const model = await createDigestModel(connection)
  return {
    plan: async (eventId, dueAt) => {
      const digest = await upsertWithRetry(() =>
        model
          .findOneAndUpdate(
            { _id: eventId },
            { $setOnInsert: { dueAt, leaseUntil: new Date(0) } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean<DigestDocument>()
          .orFail(),
      )
      return digest.dueAt
    },

    leaseDue: async (leaseMs) => {
      const now = clock()
      const digest = await model
        .findOneAndUpdate(
          { dueAt: { $lte: now }, leaseUntil: { $lte: now } },
          { $set: { leaseUntil: new Date(now.getTime() + leaseMs) } },
          { returnDocument: 'after' },
        )
        .lean<DigestDocument>()
      return digest ? { eventId: digest._id, dueAt: digest.dueAt } : undefined
    },

    finish: async ({ eventId, dueAt }) => {
      await model.deleteOne({ _id: eventId, dueAt })
    },

    removeOfEvent: async (eventId) => {
      await model.deleteOne({ _id: eventId })
    },

    oldestDue: async () => {
      const [first] = await model
        .find({ dueAt: { $lte: clock() } })
        .sort({ dueAt: 1 })
        .limit(1)
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<DigestDocument[]>()
      return first?.dueAt
    },
  }
}
