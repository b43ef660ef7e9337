import { createHash } from 'node:crypto'
import { eventCopy, getEventCopy, type EventCopy } from '@confetti/contracts'
import { Schema, type Connection, type Model, type SchemaDefinition } from 'mongoose'
import { z } from 'zod'
import { callService } from './call-service.ts'
import type { Clock } from './lifecycle.ts'
import { saveCopy, upsertWithRetry } from './mongo.ts'
import { isSameSecret } from './text-signer.ts'

interface ErasedIdDocument {
  /** SHA-256 of the id, so that the id itself is found nowhere any more. */
  _id: string
  erasedAt: Date
}

// Longer than any message waits, dead letters that are sent again by hand included.
const LIFE_MS = 90 * 24 * 3_600_000

const hash = (id: string): string => createHash('sha256').update(id).digest('hex')

/**
 * Remembers which records were erased, because messages about them may still arrive. To erase: `add`, then remove the
 * record. To write a record because of a message: write it, then remove it if `has` its id. In whatever order these
 * happen, no record is left.
 */
export const createErasedIds = async (connection: Connection, clock: Clock) => {
  const model = connection.model<ErasedIdDocument>(
    'ErasedId',
    new Schema<ErasedIdDocument>({ _id: String, erasedAt: { type: Date, required: true } }).index({
      erasedAt: 1,
    }),
  )
  await model.createIndexes()
  return {
    add: async (id: string): Promise<void> => {
      await upsertWithRetry(() =>
        model.updateOne({ _id: hash(id) }, { $setOnInsert: { erasedAt: clock() } }, { upsert: true }),
      )
    },
    has: async (id: string): Promise<boolean> => (await model.exists({ _id: hash(id) })) !== null,
    /** Removes those that were erased so long ago that no message about them is expected any more. */
    removeOld: async (): Promise<void> => {
      await model.deleteMany({ erasedAt: { $lt: new Date(clock().getTime() - LIFE_MS) } })
    },
  }
}
export type ErasedIds = Awaited<ReturnType<typeof createErasedIds>>

/** Asks the events service for an event of which no message has arrived yet. Throws `unavailable`. */
export const fetchEventCopy = (eventsUrl: string, eventId: string): Promise<EventCopy | undefined> =>
  callService(eventsUrl, getEventCopy, { eventId })

/** All fields of an event, with points in time as dates, and fields of the service. */
export type EventDocument = Record<string, unknown> & {
  _id: string
  organisers: string[]
}

const fields = eventCopy.keyof().options
const dateFields: ReadonlySet<string> = new Set(
  fields.filter((field) => z.toJSONSchema(eventCopy.shape[field]).format === 'date-time'),
)

/** The collection of copies, in which a service may have fields of its own. */
export const createEventCopyModel = (
  connection: Connection,
  ownFields: SchemaDefinition = {},
): Model<EventDocument> =>
  connection.model<EventDocument>(
    'Event',
    new Schema<EventDocument>({ _id: String, ...ownFields }, { strict: false }),
  )

/** The event of a document. What an earlier version has written lacks the fields that it did not keep, as `eventFor`. */
export const readEventCopy = (document: EventDocument): EventCopy => {
  const stored = fields.flatMap((field) => {
    const value = document[field] ?? undefined
    return value === undefined ? [] : [[field, value instanceof Date ? value.toISOString() : value]]
  })
  return { eventFor: document.organisers[0] ?? '', ...Object.fromEntries(stored) } as EventCopy
}

/** Writes and removes copies, so that a message which arrives late changes nothing. */
export const createEventCopies = (model: Model<EventDocument>, erasedIds: ErasedIds) => {
  const remove = async (eventId: string): Promise<void> => {
    await model.deleteOne({ _id: eventId })
  }
  return {
    /**
     * Adds or replaces a copy with all of its fields and `ownFields`, unless it is as new or the event has been erased.
     * Returns whether it did.
     */
    save: async (event: EventCopy, ownFields: Record<string, unknown> = {}): Promise<boolean> => {
      const { _id, revision, ...values } = { ...ownFields, ...event }
      const names = new Set(
        [...fields, ...Object.keys(ownFields)].filter((name) => name !== '_id' && name !== 'revision'),
      )
      const $set: Record<string, unknown> = {}
      const $unset: Record<string, 1> = {}
      for (const name of names) {
        const value = (values as Record<string, unknown>)[name]
        if (value === undefined) $unset[name] = 1
        else $set[name] = dateFields.has(name) ? new Date(value as string) : value
      }
      const isSaved = await saveCopy(model, _id, revision, { $set, $unset })
      // Only now: an erasure that begins after this check finds the copy.
      if (!(await erasedIds.has(_id))) return isSaved
      await remove(_id)
      return false
    },

    /** Removes the copy of an event for good. */
    erase: async (eventId: string): Promise<void> => {
      await erasedIds.add(eventId)
      await remove(eventId)
    },
  }
}

/** Whether this is the key of the event's live wall. Only its hash is known. */
export const hasWallKey = ({ wallKeyHash = '' }: EventCopy, key: string): boolean =>
  isSameSecret(createHash('sha256').update(key).digest('hex'), wallKeyHash)
