import type { EventSummary } from '@confetti/contracts'
import { upserting } from '@confetti/service-kit'
import { LRUCache } from 'lru-cache'
import { Schema, type Connection } from 'mongoose'

interface EventDocument {
  _id: string
  organiserId: string
  uploadsCloseAt: Date
}

const RECENT_MS = 10_000

/** Our copy of the events, fed by `event.created`. */
export const createEventStore = (connection: Connection) => {
  const model = connection.model<EventDocument>(
    'Event',
    new Schema<EventDocument>({
      _id: String,
      organiserId: { type: String, required: true },
      uploadsCloseAt: { type: Date, required: true },
    }),
  )
  // In a burst everybody's photos are for one event. Another replica's renewal shows here after that time.
  const recent = new LRUCache<string, EventSummary>({ max: 1_000, ttl: RECENT_MS })
  return {
    find: async (id: string): Promise<EventSummary | undefined> => {
      const known = recent.get(id)
      if (known) return known
      const event = await model.findById(id).lean()
      if (!event) return undefined
      const { _id, organiserId, uploadsCloseAt } = event
      const summary = { _id, eventFor: organiserId, uploadsCloseAt: uploadsCloseAt.toISOString() }
      recent.set(id, summary)
      return summary
    },
    /** Adds the event to our copy, or renews it. */
    keep: async ({ _id, eventFor, uploadsCloseAt }: EventSummary): Promise<void> => {
      await upserting(() =>
        model.updateOne(
          { _id },
          { $set: { organiserId: eventFor, uploadsCloseAt: new Date(uploadsCloseAt) } },
          { upsert: true },
        ),
      )
      recent.delete(_id)
    },
  }
}
export type EventStore = ReturnType<typeof createEventStore>
