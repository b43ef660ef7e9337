import { upsertWithRetry } from '@confetti/service-kit'
import { LRUCache } from 'lru-cache'
import { Schema, type Connection } from 'mongoose'
import type { EventStore, StoredEvent } from '../domain/event.ts'

interface EventDocument {
  _id: string
  organiserId: string
  uploadsCloseAt: Date
}

export const createEventModel = (connection: Connection) =>
  connection.model<EventDocument>(
    'Event',
    new Schema<EventDocument>({
      _id: String,
      organiserId: { type: String, required: true },
      uploadsCloseAt: { type: Date, required: true },
    }),
  )

// Another replica's change to the copy is seen after this time.
const CACHE_TTL_MS = 10_000

/** The local copy of events. It caches the recent ones: in a burst, all photos are for the same event. */
export const createEventStore = ({ model }: { model: ReturnType<typeof createEventModel> }): EventStore => {
  const cache = new LRUCache<string, StoredEvent>({ max: 1_000, ttl: CACHE_TTL_MS })
  return {
    find: async (id) => {
      const cached = cache.get(id)
      if (cached) return cached
      const document = await model.findById(id).lean()
      if (!document) return undefined
      const { _id, organiserId, uploadsCloseAt } = document
      const event = { _id, eventFor: organiserId, uploadsCloseAt: uploadsCloseAt.toISOString() }
      cache.set(id, event)
      return event
    },
    save: async ({ _id, eventFor, uploadsCloseAt }) => {
      await upsertWithRetry(() =>
        model.updateOne(
          { _id },
          { $set: { organiserId: eventFor, uploadsCloseAt: new Date(uploadsCloseAt) } },
          { upsert: true },
        ),
      )
      cache.delete(_id)
    },
  }
}
