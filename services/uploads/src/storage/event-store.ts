import type { EventSummary } from '@confetti/contracts'
import { upserting } from '@confetti/service-kit'
import { Schema, type Connection } from 'mongoose'

interface EventDocument {
  _id: string
  organiserId: string
  uploadsCloseAt: Date
}

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
  return {
    find: async (id: string): Promise<EventSummary | undefined> => {
      const event = await model.findById(id).lean()
      return event
        ? { _id: event._id, eventFor: event.organiserId, uploadsCloseAt: event.uploadsCloseAt.toISOString() }
        : undefined
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
    },
  }
}
export type EventStore = ReturnType<typeof createEventStore>
