import { randomUUID } from 'node:crypto'
import { upserting } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'

/** The id of this database, made once. It marks the blob container whose blobs have their records here. */
export const databaseId = async (connection: Connection): Promise<string> => {
  const identities = connection.model('Identity', new Schema({ _id: String, value: String }))
  const found = await upserting(() =>
    identities.findOneAndUpdate(
      { _id: 'database' },
      { $setOnInsert: { value: randomUUID() } },
      { upsert: true, returnDocument: 'after' },
    ),
  )
  return String(found.value)
}
