import { upsertWithRetry } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'
import type { UnsubscriptionStore } from '../digests/stores.ts'

interface UnsubscriptionDocument {
  /** `<eventId>/<userId>`. */
  _id: string
  eventId: string
  userId: string
}

export const createUnsubscriptionModel = (connection: Connection) => {
  const schema = new Schema<UnsubscriptionDocument>({
    _id: { type: String, required: true },
    eventId: { type: String, required: true },
    userId: { type: String, required: true },
  })
  schema.index({ eventId: 1 })
  schema.index({ userId: 1 })
  return connection.model<UnsubscriptionDocument>('Unsubscription', schema)
}
type UnsubscriptionModel = ReturnType<typeof createUnsubscriptionModel>

const idOf = (eventId: string, userId: string): string => `${eventId}/${userId}`

export const createUnsubscriptionStore = ({
  model,
}: {
  model: UnsubscriptionModel
}): UnsubscriptionStore => ({
  add: async (eventId, userId) => {
    await upsertWithRetry(() =>
      model.updateOne({ _id: idOf(eventId, userId) }, { $set: { eventId, userId } }, { upsert: true }).exec(),
    )
  },
  has: async (eventId, userId) => (await model.exists({ _id: idOf(eventId, userId) })) !== null,
  removeOfUser: async (userId) => {
    await model.deleteMany({ userId })
  },
  removeOfEvent: async (eventId) => {
    await model.deleteMany({ eventId })
  },
})
