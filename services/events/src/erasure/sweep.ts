import { createErasureAges, runParts, throwIfAny, tryEach } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import { eventHolders } from '../event.ts'
import { createDeleteDue } from './delete-due.ts'

const BATCH_SIZE = 100
const FAILED = 'the sweep failed for some events'

/**
 * Deletes events whose time has come, requests the erasure again of those that others have not erased, removes expired
 * invitations, and gives short codes to events of earlier versions, also of one that runs at the same time. Several replicas
 * can run it at once. An event that fails stops no other; in the end it throws.
 */
export const createSweep = (deps: Deps) => {
  const { config, events, erasedIds, stopping, clock, logger } = deps
  const ages = createErasureAges(deps, {
    name: 'events_erasure_oldest_age_seconds',
    help: 'Age of the oldest deletion of an event that a service has not completed',
    holders: eventHolders,
  })

  const onError = (error: unknown, eventId: string): void =>
    logger.warn({ err: error, eventId }, 'the sweep failed for an event, will retry')
  const deleteDue = createDeleteDue(deps, onError)
  const forEachEvent = async (
    eventIds: readonly string[],
    work: (eventId: string) => Promise<void>,
  ): Promise<void> => throwIfAny(await tryEach(eventIds, work, { stopping, onError }), FAILED)

  let codesPosition: string | undefined
  /** Reads all events once, and then only those that have changed since; all again if one has failed. */
  const addMissingCodes = async (): Promise<void> => {
    const errors: unknown[] = []
    while (!stopping.aborted) {
      const { events: changed, position } = await events.listChanges(codesPosition)
      if (position === undefined) break
      const withoutCode = changed.filter(({ shortCode }) => !shortCode)
      const failed = await tryEach(withoutCode, events.addShortCode, {
        stopping,
        onError: (error, { _id }) => onError(error, _id),
      })
      errors.push(...failed)
      codesPosition = position
    }
    if (errors.length > 0) codesPosition = undefined
    throwIfAny(errors, FAILED)
  }

  return async (): Promise<void> => {
    const now = clock()
    const before = new Date(now.getTime() - config.ERASURE_TIMEOUT_MS)
    const parts: Record<string, () => Promise<void>> = {
      due: deleteDue,
      unerased: async () => {
        const eventIds = await events.listUnerased(before, BATCH_SIZE)
        if (eventIds.length > 0) logger.warn({ eventIds }, 'deleted events are not erased yet, will retry')
        await forEachEvent(eventIds, (eventId) => events.repeatDeletion(eventId, before, now))
      },
      invitations: async () =>
        forEachEvent(await events.listWithExpiredInvitations(now, BATCH_SIZE), (eventId) =>
          events.removeExpiredInvitations(eventId, now),
        ),
      codes: addMissingCodes,
      erasedIds: erasedIds.removeOld,
      ages: () => ages.measure(events.findOldestDeletion),
    }
    await runParts(parts, deps)
  }
}
