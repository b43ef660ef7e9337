import { randomUUID } from 'node:crypto'
import { upsertWithRetry } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'

/** The random id of this database, created on first use. It marks the blob container that belongs to the database. */
export const ensureDatabaseId = async (connection: Connection): Promise<string> => {
  const identities = connection.model('Identity', new Schema({ _id: String, value: String }))
  const identity = await upsertWithRetry(() =>
    identities.findOneAndUpdate(
      { _id: 'database' },
      { $setOnInsert: { value: randomUUID() } },
      { upsert: true, returnDocument: 'after' },
    ),
  )
  return String(identity.value)
}
