import { fetchEventCopy } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'

/** Longer than a replica of the version before, or one with an old copy of the event, goes on storing uploads. */
const SETTLE_MS = 2 * 3_600_000

/** Keeps the times at which uploads were taken in the time zone of their event. Several replicas can do it at once. */
export const createCaptureTimes = ({ config, uploads, eventCopies, stopping, clock, logger }: Deps) => {
  /** The time zone of an event; undefined if it is gone. Copies of versions before 0.2 lack it. */
  const findTimeZone = async (event: { _id: string; timeZone?: string }): Promise<string | undefined> => {
    if (event.timeZone !== undefined) return event.timeZone
    const timeZone = (await fetchEventCopy(config.EVENTS_URL, event._id))?.timeZone
    if (timeZone !== undefined) await eventCopies.addTimeZone(event._id, timeZone)
    return timeZone
  }

  return {
    /** Refreshes the uploads of an event in the background if its time zone has changed. What fails is left to the sweep. */
    refreshEvent: async (eventId: string): Promise<void> => {
      for (const { _id, timeZone } of await eventCopies.listWithOldCaptures(eventId))
        if (timeZone !== undefined)
          void uploads
            .refreshCaptures(_id, timeZone, stopping)
            .catch((error: unknown) =>
              logger.warn({ err: error, eventId }, 'failed to refresh capture times'),
            )
    },

    /**
     * Refreshes the uploads of all events whose time zone has changed, or that an earlier version has stored, until nothing
     * has changed for `SETTLE_MS`. Returns how many were changed. An event that fails does not delay the others.
     */
    refreshAll: async (): Promise<number> => {
      let total = 0
      const errors: unknown[] = []
      for (const event of await eventCopies.listWithOldCaptures()) {
        if (stopping.aborted) break
        try {
          const timeZone = await findTimeZone(event)
          if (timeZone === undefined) continue
          const changed = await uploads.refreshCaptures(event._id, timeZone, stopping)
          total += changed
          const now = clock()
          const { settled } = event
          const since = changed === 0 && settled?.timeZone === timeZone ? settled.since : now
          const isDone = now.getTime() - since.getTime() >= SETTLE_MS
          await eventCopies.markCaptures(event._id, { timeZone, since, isDone })
        } catch (error) {
          logger.warn({ err: error, eventId: event._id }, 'failed to refresh capture times, will try again')
          errors.push(error)
        }
      }
      if (errors.length > 0)
        throw new AggregateError(errors, 'capture times of some events were not refreshed')
      return total
    },
  }
}
export type CaptureTimes = ReturnType<typeof createCaptureTimes>
