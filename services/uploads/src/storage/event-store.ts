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

/** The time zone that the capture times of an event's uploads are in, and since when nothing has changed. */
interface CapturesMark {
  timeZone: string
  since: Date
  /** Whether nothing will change any more until the event has another time zone. */
  isDone: boolean
}

/** When missing copies were first looked for, and whether none can be missing any more. */
interface CopiesMark {
  since: Date
  isDone: boolean
}

/** An event whose capture times may be in another time zone. */
interface EventWithOldCaptures {
  _id: string
  timeZone?: string
  settled?: CapturesMark
}

/** The local copy of events. It caches the recent ones: in a burst, all photos are for the same event. */
export const createEventStore = (
  model: ReturnType<typeof createEventCopyModel>,
  { maxCached, erasedIds, clock }: { maxCached: number; erasedIds: ErasedIds; clock: Clock },
) => {
  /** Answers, and questions that are still open: hundreds of calls may need the same event before the first one is answered. */
  const cache = new LRUCache<string, Promise<EventCopy | undefined>>({
    max: maxCached,
    ttl: CACHE_TTL_MS,
    // The clock is asked each time: by default a cache takes the time of the last millisecond.
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  })
  const copies = createEventCopies(model, erasedIds)
  const read = async (id: string): Promise<EventCopy | undefined> => {
    const document = await model.findById(id).lean()
    return document ? readEventCopy(document) : undefined
  }
  /** Like `find`, and never uses an old copy. */
  const findLatest = (id: string): Promise<EventCopy | undefined> => {
    const found = read(id)
    // Its age counts from the question: a slow answer may be old when it arrives.
    cache.set(id, found)
    const forget = (): void => {
      if (cache.peek(id) === found) cache.delete(id)
    }
    found.then((event) => event ?? forget(), forget)
    return found
  }
  return {
    find: (id: string): Promise<EventCopy | undefined> => cache.get(id) ?? findLatest(id),
    findLatest,

    /** Adds or replaces the copy of an event, unless it is as new or the event has been erased. Returns whether it did. */
    save: async (event: EventCopy): Promise<boolean> => {
      // Whether copies are missing is found out again.
      const isSaved = await copies.save(event, { copies: undefined })
      cache.delete(event._id)
      return isSaved
    },

    /**
     * The events, or one of them, whose capture times may be in another time zone, with what `markCaptures` remembers. Without
     * `timeZone` where the copy of an earlier version lacks it.
     */
    listWithOldCaptures: async (id?: string): Promise<EventWithOldCaptures[]> => {
      const fields = { timeZone: 1, captures: 1 }
      const documents = await model.find(id === undefined ? {} : { _id: id }, fields).lean()
      return documents.flatMap(({ _id, timeZone, captures }) => {
        const settled = (captures ?? undefined) as CapturesMark | undefined
        if (settled?.isDone && settled.timeZone === timeZone) return []
        return { _id, ...(typeof timeZone === 'string' && { timeZone }), ...(settled && { settled }) }
      })
    },

    /** Remembers the time zone that the capture times of an event's uploads are in. */
    markCaptures: async (_id: string, captures: CapturesMark): Promise<void> => {
      await model.updateOne({ _id }, { $set: { captures } })
    },

    /** The events that allow copies and may lack some, and since when nothing was missing, as `markCopies` remembers. */
    listWithMissingCopies: async (): Promise<{ _id: string; copiesSince?: Date }[]> => {
      const documents = await model
        .find({ save: 'copy', 'copies.isDone': { $ne: true } }, { copies: 1 })
        .lean()
      return documents.map(({ _id, copies }) => {
        const mark = (copies ?? undefined) as CopiesMark | undefined
        return { _id, ...(mark && { copiesSince: mark.since }) }
      })
    },

    /** Remembers that the missing copies of an event have been looked for. */
    markCopies: async (_id: string, copies: CopiesMark): Promise<void> => {
      await model.updateOne({ _id, save: 'copy' }, { $set: { copies } })
    },

    /** Adds the time zone to the copy of an event that an earlier version has stored without it. */
    addTimeZone: async (_id: string, timeZone: string): Promise<void> => {
      await model.updateOne({ _id, timeZone: null }, { $set: { timeZone } })
      cache.delete(_id)
    },

    /** Removes the copy of an event for good. Other replicas find it for `CACHE_TTL_MS` longer. */
    erase: async (id: string): Promise<void> => {
      await copies.erase(id)
      cache.delete(id)
    },
  }
}
