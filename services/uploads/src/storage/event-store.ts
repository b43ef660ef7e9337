import type { EventCopy } from '@confetti/contracts'
import {
  createEventCopies,
  readEventCopy,
  type createEventCopyModel,
  type Clock,
  type ErasedIds,
} from '@confetti/service-kit'
import { LRUCache } from 'lru-cache'
import { CACHE_TTL_MS } from '../events.ts'

/** The local copy of events. It caches the recent ones: in a burst, all photos are for the same event. */
export const createEventStore = (
  model: ReturnType<typeof createEventCopyModel>,
  { erasedIds, clock }: { erasedIds: ErasedIds; clock: Clock },
) => {
  const cache = new LRUCache<string, EventCopy>({
    max: 1_000,
    ttl: CACHE_TTL_MS,
    perf: { now: () => clock().getTime() },
  })
  const copies = createEventCopies(model, erasedIds)
  /** Like `find`, and never uses an old copy. */
  const findLatest = async (id: string): Promise<EventCopy | undefined> => {
    const document = await model.findById(id).lean()
    if (!document) return undefined
    const event = readEventCopy(document)
    cache.set(id, event)
    return event
  }
  return {
    find: async (id: string): Promise<EventCopy | undefined> => cache.get(id) ?? (await findLatest(id)),
    findLatest,

    /** Adds or replaces the copy of an event, unless it is newer or the event has been erased. */
    save: async (event: EventCopy): Promise<void> => {
      await copies.save(event)
      cache.delete(event._id)
    },

    /**
     * The events, or one of them, whose time zone is not the one for which `markCaptures` was called last. `UTC` where the
     * copy of an earlier version lacks it.
     */
    listWithOldCaptures: async (id?: string): Promise<{ _id: string; timeZone: string }[]> => {
      const fields = { timeZone: 1, capturesZone: 1 }
      const documents = await model.find(id === undefined ? {} : { _id: id }, fields).lean()
      return documents
        .map(({ _id, timeZone = 'UTC', capturesZone }) => ({ _id, timeZone: String(timeZone), capturesZone }))
        .filter(({ timeZone, capturesZone }) => timeZone !== capturesZone)
    },

    /** Remembers that the capture times of all uploads of an event are in this time zone. */
    markCaptures: async ({ _id, timeZone }: { _id: string; timeZone: string }): Promise<void> => {
      await model.updateOne({ _id }, { $set: { capturesZone: timeZone } })
    },

    /** Removes the copy of an event for good. Other replicas find it for `CACHE_TTL_MS` longer. */
    erase: async (id: string): Promise<void> => {
      await copies.erase(id)
      cache.delete(id)
    },
  }
}
export type EventStore = ReturnType<typeof createEventStore>
