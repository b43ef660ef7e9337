import { Schema, type Connection } from 'mongoose'

interface KnownAddressDocument {
  /** A keyed hash of the account and the IP address. */
  _id: string
  userId: string
  expiresAt: Date
}

export const createKnownAddressModel = (connection: Connection) =>
  connection.model<KnownAddressDocument>(
    'KnownAddress',
    new Schema<KnownAddressDocument>({
      _id: { type: String, required: true },
      userId: { type: String, required: true, index: true },
      expiresAt: { type: Date, required: true, index: true },
    }),
  )
export type KnownAddressModel = ReturnType<typeof createKnownAddressModel>
