import { setTimeout as sleep } from 'node:timers/promises'
import { eventId as eventIdSchema, type EventCopy } from '@confetti/contracts'
import { checkPass, eventNotFound, fetchEventCopy, hasSomePass, type AppError } from '@confetti/service-kit'
import { LRUCache } from 'lru-cache'
import type { Deps } from './deps.ts'
import { consentRequired, eventClosed } from './rejections.ts'

/** How long a replica may use an old copy of an event: a closed event takes uploads for 5 s at most, with the message's way. */
export const CACHE_TTL_MS = 4_000

/** A replica asks the events service for the same event once in this time at most. */
const ASK_INTERVAL_MS = 250
const MAX_ASKED = 1_000

/** How long after a scheduled closing time guests can finish what they began before it. */
const CLOSING_GRACE_MS = 60 * 60_000

/**
 * Why an event takes no file at `now` that a guest began to send at `begunAt`, if it does not. Uploads that an organiser
 * has closed are closed at once.
 */
export const findClosedError = (
  { uploads, uploadsCloseAt }: EventCopy,
  begunAt: Date,
  now: Date,
): AppError | undefined => {
  const closesAt = Date.parse(uploadsCloseAt)
  const isOpen =
    uploads !== 'closed' && begunAt.getTime() < closesAt && now.getTime() < closesAt + CLOSING_GRACE_MS
  return isOpen ? undefined : eventClosed()
}

/** Whether guests see at `now` what others have sent. */
export const isGalleryOpen = ({ gallery, revealAt }: EventCopy, now: Date): boolean =>
  gallery === 'on' && (!revealAt || now >= new Date(revealAt))

/** Finds events in the local copies or, if they are too new to be there, in the events service. */
export const createEvents = (
  copies: Pick<Deps['eventCopies'], 'find' | 'save'>,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
) => {
  /** The latest question for an event, by its id, with its answer. */
  const asked = new LRUCache<string, Promise<EventCopy>>({
    max: MAX_ASKED,
    ttl: ASK_INTERVAL_MS,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  })
  /** The next one, by the id of the event. */
  const waiting = new Map<string, Promise<EventCopy>>()

  /** Asks the events service. Throws `notFound` and `unavailable`. */
  const ask = (eventId: string): Promise<EventCopy> => {
    const fetchAndSave = async (): Promise<EventCopy> => {
      const fetched = await fetchEventCopy(config.EVENTS_URL, eventId)
      if (!fetched) throw eventNotFound()
      await copies.save(fetched)
      return fetched
    }
    const answer = fetchAndSave()
    asked.set(eventId, answer)
    return answer
  }

  /**
   * Asks for what a guest may know, and the copy does not. All who come within `ASK_INTERVAL_MS` after a question get the
   * answer to the next one: that to the one before may be older than what they know.
   */
  const askForLatest = (eventId: string): Promise<EventCopy> => {
    const joined = waiting.get(eventId)
    if (joined) return joined
    // No longer, if the clock has been set back.
    const pauseMs = Math.min(asked.getRemainingTTL(eventId), ASK_INTERVAL_MS)
    if (pauseMs <= 0) return ask(eventId)
    const next = sleep(pauseMs).then(() => {
      waiting.delete(eventId)
      return ask(eventId)
    })
    waiting.set(eventId, next)
    return next
  }

  /** Throws `notFound`, also for malformed ids. */
  const find = async (id: string): Promise<EventCopy> => {
    const eventId = eventIdSchema.safeParse(id.trim())
    if (!eventId.success) throw eventNotFound()
    return (await copies.find(eventId.data)) ?? asked.get(eventId.data) ?? ask(eventId.data)
  }

  /** Like `find`; also throws `notFound` where a guest lacks a pass. */
  const get = async (id: string): Promise<EventCopy> => {
    const event = await find(id)
    try {
      await checkPass(event, clock())
      return event
    } catch (error) {
      // The pass may be for a PIN that the copy does not know yet.
      if (!hasSomePass()) throw error
      const latest = await askForLatest(event._id)
      await checkPass(latest, clock())
      return latest
    }
  }

  return {
    get,

    /**
     * The version of what a guest agrees to who sent `version`; undefined if the event asks for nothing. Throws `invalid` if
     * that is not what it asks for now.
     */
    findConsent: async (event: EventCopy, version: string | undefined): Promise<string | undefined> => {
      // A guest may have read what the copy does not know yet, also that nothing is asked for any more.
      const isUnknown = version !== event.consentVersion
      const { consentVersion } = isUnknown ? await askForLatest(event._id) : event
      if (consentVersion && consentVersion !== version) throw consentRequired()
      return consentVersion
    },

    /**
     * The event, if it accepts what a guest began to send at `begunAt`, by default now. Throws `notFound`, or `gone` if
     * the event is closed. What has begun needs no pass any more: a PIN that is set meanwhile refuses none of it.
     */
    getOpen: async (id: string, begunAt?: Date): Promise<EventCopy> => {
      const event = await (begunAt ? find(id) : get(id))
      const error = findClosedError(event, begunAt ?? clock(), clock())
      if (error) throw error
      return event
    },

    isOrganiser: ({ organisers }: EventCopy, userId: string): boolean => organisers.includes(userId),
  }
}
export type Events = ReturnType<typeof createEvents>
