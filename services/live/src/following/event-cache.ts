import type { EventCopy } from '@confetti/contracts'
import { fetchEventCopy } from '@confetti/service-kit'
import type { Config } from '../config.ts'

export interface EventCache {
  /**
   * Returns an event that was fetched, or reported by a message, at most `maxAgeMs` ago; undefined if there is none. While
   * the events service cannot be asked, an older one is used.
   */
  find: (eventId: string, maxAgeMs: number) => Promise<EventCopy | undefined>
  /** Replaces an event, unless the known one is newer or has been deleted: then it returns false. */
  save: (event: EventCopy) => boolean
  /** Remembers that an event has been deleted. */
  markDeleted: (eventId: string) => void
  /** Removes all events, or one, because messages about them may be missing. */
  clear: (eventId?: string) => void
}

/** Events as the events service describes them, updated by its messages. It keeps those that were used last. */
export const createEventCache = ({ EVENTS_URL, MAX_CACHED_EVENTS: maxEvents }: Config): EventCache => {
  /** In the order of their last change. Without an event: it has been deleted. */
  const entries = new Map<string, { event: EventCopy | undefined; at: number }>()
  const fetches = new Map<string, Promise<void>>()
  let generation = 0

  const put = (eventId: string, event: EventCopy | undefined): void => {
    entries.delete(eventId)
    entries.set(eventId, { event, at: performance.now() })
    const [oldest] = entries.keys()
    if (entries.size > maxEvents && oldest !== undefined) entries.delete(oldest)
  }
  const save = (event: EventCopy): boolean => {
    const known = entries.get(event._id)
    const isOutdated = known && (!known.event || known.event.revision > event.revision)
    if (!isOutdated) put(event._id, event)
    return !isOutdated
  }
  const startFetch = async (eventId: string): Promise<void> => {
    const startedIn = generation
    const event = await fetchEventCopy(EVENTS_URL, eventId)
    // A gap occurred during the fetch, so the reply may be outdated.
    if (startedIn !== generation) await startFetch(eventId)
    else if (event) save(event)
    else entries.delete(eventId)
  }
  const fetchOnce = (eventId: string): Promise<void> => {
    const running = fetches.get(eventId)
    if (running) return running
    const started = startFetch(eventId).finally(() => fetches.delete(eventId))
    fetches.set(eventId, started)
    return started
  }

  return {
    find: async (eventId, maxAgeMs) => {
      const known = entries.get(eventId)
      if (known && (!known.event || performance.now() - known.at <= maxAgeMs)) return known.event
      try {
        await fetchOnce(eventId)
      } catch (error) {
        if (!entries.has(eventId)) throw error
      }
      return entries.get(eventId)?.event
    },
    save,
    markDeleted: (eventId) => put(eventId, undefined),
    clear: (eventId) => {
      generation += 1
      if (eventId === undefined) entries.clear()
      else entries.delete(eventId)
    },
  }
}
