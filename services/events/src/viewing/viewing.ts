import type { Event, EventCopy, GuestEvent } from '@confetti/contracts'
import { checkPass, eventNotFound, notFound, type Principal } from '@confetti/service-kit'
import { getCalendarDay, getCalendarDays, getPhase, timeZoneOf, type Phase } from '../schedule.ts'
import type { Deps } from '../deps.ts'
import { canManage, type StoredEvent } from '../event.ts'
import { derivePinSecrets } from '../pin.ts'
import { toFullView, toGuestView, toEventCopy } from './views.ts'

/** Events as admins, organisers, guests and other services see them. */
export const createViewing = ({ config, events, clock }: Deps) => {
  /** Throws `notFound`. */
  const getStored = async (eventId: string): Promise<StoredEvent> => {
    const event = await events.find(eventId)
    if (!event) throw eventNotFound()
    return event
  }

  return {
    getStored,

    /** The events that are active, upcoming or past today, each in its own time zone. */
    listByPhase: async (phase: Phase): Promise<Event[]> => {
      const now = clock()
      const todayOf = ({ settings }: StoredEvent) => getCalendarDay(timeZoneOf(settings, config), now)
      const candidates = await events.listByPhase(phase, getCalendarDays(now))
      return candidates
        .filter((event) => getPhase(event, todayOf(event)) === phase)
        .map((event) => toFullView(event, config, now))
    },

    /** The events of an organiser, latest first. */
    listOfOrganiser: async (organiserId: string): Promise<Event[]> => {
      const now = clock()
      const stored = await events.listByOrganiser(organiserId)
      return stored.map((event) => toFullView(event, config, now))
    },

    /** All of an event for admins and its organisers, the guest view for everyone else. Throws `notFound`. */
    get: async (eventId: string, principal: Principal | undefined): Promise<Event | GuestEvent> => {
      const event = await getStored(eventId)
      const now = clock()
      if (canManage(event, principal)) return toFullView(event, config, now)
      await checkPass(toEventCopy(event, config), now)
      return toGuestView(event, config, now)
    },

    /** What proves that a guest knows the PIN of an event. Throws `notFound`, also if it has none. */
    getPin: async (eventId: string) => {
      const event = await getStored(eventId)
      const { pin, pinInLinks } = event.settings
      const secrets = derivePinSecrets(event)
      if (!pin || !secrets) throw eventNotFound()
      const { linkKey, pinHash } = secrets
      return { pin, pinHash, ...(pinInLinks !== 'off' && { linkKey }) }
    },

    /** The id of the event that has a short code. Throws `notFound`. */
    getIdByCode: async (shortCode: string): Promise<string> => {
      const eventId = await events.findIdByCode(shortCode)
      if (!eventId) throw notFound('There is no event with this code.', { code: 'code_not_found' })
      return eventId
    },

    /** An event as other services copy it. Throws `notFound`. */
    getEventCopy: async (eventId: string): Promise<EventCopy> =>
      toEventCopy(await getStored(eventId), config),

    /** The events that have changed since a position, as other services copy them, and the position of the last one. */
    listChanges: async (since: string | undefined): Promise<{ events: EventCopy[]; position?: string }> => {
      const changes = await events.listChanges(since)
      return { ...changes, events: changes.events.map((event) => toEventCopy(event, config)) }
    },
  }
}
