import { throwIfAny, tryEach } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import { endOfNotice } from '../schedule.ts'

const BATCH_SIZE = 100
// Much longer than between two runs. No restore of a backup is done sooner.
const MAX_GAP_MS = 10 * 60_000

/**
 * Deletes events whose time has come. If nothing has looked for them in the last ten minutes before the process started, the
 * database may be that of a backup, which lacks what organisers have changed since. Then what would be deleted within three
 * days is kept for three days, and organisers get a mail as after every change. Only once for each event: a service that is
 * stopped every night deletes it, too.
 */
export const createDeleteDue = (
  { events, dueChecks, stopping, clock, logger }: Deps,
  onError: (error: unknown, eventId: string) => void,
) => {
  /** Returns why deletions were not postponed, by the id of the event. */
  const postpone = async (now: Date): Promise<Map<string, unknown>> => {
    const deleteAt = endOfNotice(now)
    const failures = new Map<string, unknown>()
    await tryEach(
      await events.listEndingBefore(deleteAt),
      async (event) => {
        if (!(await events.update(event, { deleteAt, postponedTo: deleteAt })))
          throw new Error('The event has changed meanwhile')
        logger.warn({ eventId: event._id, deleteAt }, 'deletion postponed after a restore or a long stop')
      },
      {
        stopping,
        onError: (error, { _id }) => {
          onError(error, _id)
          failures.set(_id, error)
        },
      },
    )
    return failures
  }

  // While this process runs without the database, that is not restored.
  let lastCheckAt: Date | undefined
  return async (): Promise<void> => {
    const now = clock()
    const storedCheckAt = (await dueChecks.findLast())?.getTime() ?? 0
    const mayBeRestored = (lastCheckAt ?? now).getTime() - storedCheckAt > MAX_GAP_MS
    const notPostponed = mayBeRestored ? await postpone(now) : new Map<string, unknown>()
    if (stopping.aborted) return
    // Without this time, the next run postpones them. Until then they are kept, and no others.
    if (notPostponed.size === 0) {
      await dueChecks.add(now)
      lastCheckAt = now
    }
    const due = await events.listDue(now, BATCH_SIZE + notPostponed.size)
    const errors = await tryEach(
      due.filter((eventId) => !notPostponed.has(eventId)),
      async (eventId) => {
        const deleted = await events.markDeleted(eventId, now, 'due')
        if (deleted) logger.info({ eventId }, 'event deleted, its keep days have passed')
      },
      { stopping, onError },
    )
    throwIfAny(
      [...notPostponed.values(), ...errors],
      'some events that are due were not postponed or not deleted',
    )
  }
}
