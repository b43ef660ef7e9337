import type { EventCopy } from '@confetti/contracts'
import {
  createEventCopies,
  readEventCopy,
  type createEventCopyModel,
  type Clock,
  type ErasedIds,
} from '@confetti/service-kit'
import { LRUCache } from 'lru-cache'
import { CACHE_TTL_MS, type EventStore } from '../events.ts'

/** The local copy of events. It caches the recent ones: in a burst, all photos are for the same event. */
export const createEventStore = (
  model: ReturnType<typeof createEventCopyModel>,
  { erasedIds, clock }: { erasedIds: ErasedIds; clock: Clock },
): EventStore => {
  const cache = new LRUCache<string, EventCopy>({
    max: 1_000,
    ttl: CACHE_TTL_MS,
    perf: { now: () => clock().getTime() },
  })
  const copies = createEventCopies(model, erasedIds)
  const findLatest: EventStore['findLatest'] = async (id) => {
    const document = await model.findById(id).lean()
    if (!document) return undefined
    const event = readEventCopy(document)
    cache.set(id, event)
    return event
  }
  return {
    find: async (id) => cache.get(id) ?? (await findLatest(id)),
    findLatest,

    save: async (event) => {
      await copies.save(event)
      cache.delete(event._id)
    },

    erase: async (id) => {
      await copies.erase(id)
      cache.delete(id)
    },
  }
}
