import type { Deps } from '../deps.ts'

/** Keeps the times at which uploads were taken in the time zone of their event. Several replicas can do it at once. */
export const createCaptureTimes = ({ uploads, eventCopies, stopping, logger }: Deps) => ({
  /** Refreshes the uploads of an event if its time zone has changed. */
  refreshEvent: async (eventId: string): Promise<void> => {
    for (const { _id, timeZone } of await eventCopies.listWithOldCaptures(eventId))
      await uploads.refreshCaptures(_id, timeZone)
  },

  /** Refreshes the uploads of all events whose time zone has changed, or that an earlier version has stored; returns how many. */
  refreshAll: async (): Promise<number> => {
    let total = 0
    for (const event of await eventCopies.listWithOldCaptures()) {
      if (stopping.aborted) break
      try {
        const changed = await uploads.refreshCaptures(event._id, event.timeZone)
        // Another replica may still store uploads by an old copy of the event: the next sweep finds them.
        if (changed === 0) await eventCopies.markCaptures(event)
        total += changed
      } catch (error) {
        logger.warn({ err: error, eventId: event._id }, 'failed to refresh capture times, will try again')
      }
    }
    return total
  },
})
export type CaptureTimes = ReturnType<typeof createCaptureTimes>
