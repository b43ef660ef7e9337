import { saveCopy, type Clock, type ErasedIds } from '@confetti/service-kit'
import { LRUCache } from 'lru-cache'
import { Schema, type Connection } from 'mongoose'
import { CACHE_TTL_MS, type EventStore, type StoredEvent } from '../events.ts'

interface EventDocument {
  _id: string
  /** The first organiser, which versions before 0.2 read. */
  organiserId: string
  uploadsCloseAt: Date
  /** The following are absent in copies written before version 0.2. */
  organisers?: string[]
  uploads?: 'open' | 'closed' | null
  cover?: string | null
  maxFiles?: number | null
  maxBytes?: number | null
  moderation?: 'off' | 'approve' | null
  gallery?: 'off' | 'on' | null
  revealAt?: Date | null
  wallKeyHash?: string | null
  revision?: number
}

export const createEventModel = (connection: Connection) =>
  connection.model<EventDocument>(
    'Event',
    new Schema<EventDocument>({
      _id: String,
      organiserId: { type: String, required: true },
      uploadsCloseAt: { type: Date, required: true },
      organisers: { type: [String], default: undefined },
      uploads: String,
      cover: String,
      maxFiles: Number,
      maxBytes: Number,
      moderation: String,
      gallery: String,
      revealAt: Date,
      wallKeyHash: String,
      revision: Number,
    }),
  )

const toStoredEvent = ({
  organiserId,
  organisers,
  uploadsCloseAt,
  ...event
}: EventDocument): StoredEvent => ({
  _id: event._id,
  organisers: organisers ?? [organiserId],
  uploadsCloseAt: uploadsCloseAt.toISOString(),
  uploads: event.uploads ?? undefined,
  cover: event.cover ?? undefined,
  maxFiles: event.maxFiles ?? undefined,
  maxBytes: event.maxBytes ?? undefined,
  moderation: event.moderation ?? undefined,
  gallery: event.gallery ?? undefined,
  revealAt: event.revealAt?.toISOString(),
  wallKeyHash: event.wallKeyHash ?? undefined,
  revision: event.revision ?? 0,
})

/** The local copy of events. It caches the recent ones: in a burst, all photos are for the same event. */
export const createEventStore = ({
  model,
  erasedIds,
  clock,
}: {
  model: ReturnType<typeof createEventModel>
  erasedIds: ErasedIds
  clock: Clock
}): EventStore => {
  const cache = new LRUCache<string, StoredEvent>({
    max: 1_000,
    ttl: CACHE_TTL_MS,
    perf: { now: () => clock().getTime() },
  })
  const remove = async (id: string): Promise<void> => {
    await model.deleteOne({ _id: id })
    cache.delete(id)
  }
  const findLatest: EventStore['findLatest'] = async (id) => {
    const document = await model.findById(id).lean()
    if (!document) return undefined
    const event = toStoredEvent(document)
    cache.set(id, event)
    return event
  }
  return {
    find: async (id) => cache.get(id) ?? (await findLatest(id)),
    findLatest,

    save: async ({ _id, organisers, uploadsCloseAt, revision, ...settings }) => {
      const { uploads = null, cover = null, maxFiles = null, maxBytes = null } = settings
      const { moderation = null, gallery = null, revealAt, wallKeyHash = null } = settings
      await saveCopy(model, _id, revision, {
        $set: {
          organiserId: organisers[0] ?? '',
          organisers: [...organisers],
          uploadsCloseAt: new Date(uploadsCloseAt),
          uploads,
          cover,
          maxFiles,
          maxBytes,
          moderation,
          gallery,
          revealAt: revealAt === undefined ? null : new Date(revealAt),
          wallKeyHash,
        },
      })
      cache.delete(_id)
      if (await erasedIds.has(_id)) await remove(_id)
    },

    erase: async (id) => {
      await erasedIds.add(id)
      await remove(id)
    },
  }
}
