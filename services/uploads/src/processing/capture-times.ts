import { fetchEventCopy, throwIfAny, tryEach } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'

/** Longer than a replica of the version before, or one with an old copy of the event, goes on storing uploads. */
const SETTLE_MS = 2 * 3_600_000

/** Keeps the times at which uploads were taken in the time zone of their event. Several replicas can do it at once. */
export const createCaptureTimes = ({ config, uploads, eventCopies, stopping, clock, logger }: Deps) => {
  const logFailure = (eventId: string, error: unknown): void =>
    logger.warn({ err: error, eventId }, 'failed to refresh capture times, will try again')

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
            .catch((error: unknown) => logFailure(eventId, error))
    },

    /**
     * Refreshes the uploads of all events whose time zone has changed, or that an earlier version has stored, until nothing
     * has changed for `SETTLE_MS`. Returns how many were changed. An event that fails does not delay the others.
     */
    refreshAll: async (): Promise<number> => {
      let total = 0
      const errors = await tryEach(
        await eventCopies.listWithOldCaptures(),
        async (event) => {
          const timeZone = await findTimeZone(event)
          if (timeZone === undefined) return
          const changed = await uploads.refreshCaptures(event._id, timeZone, stopping)
          total += changed
          const now = clock()
          const { settled } = event
          const since = changed === 0 && settled?.timeZone === timeZone ? settled.since : now
          const isDone = now.getTime() - since.getTime() >= SETTLE_MS
          await eventCopies.markCaptures(event._id, { timeZone, since, isDone })
        },
        { stopping, onError: (error, { _id }) => logFailure(_id, error) },
      )
      throwIfAny(errors, 'capture times of some events were not refreshed')
      return total
    },
  }
}
export type CaptureTimes = ReturnType<typeof createCaptureTimes>
