import { Schema, type Connection } from 'mongoose'

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
export type UnsubscriptionModel = ReturnType<typeof createUnsubscriptionModel>
