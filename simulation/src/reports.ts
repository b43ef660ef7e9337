import { reportUpload } from '@confetti/contracts'
import type { AskedOfGuests } from './asked.ts'
import type { Promises } from './promises.ts'
import type { World } from './world.ts'

/** After so many reports an upload waits for approval. */
const REPORTS_UNTIL_APPROVAL = 3

/** What guests report, and whether it is gone then. */
export const createReports = (
  { ask, isAnswered }: World,
  { promises, asked }: { promises: Promises; asked: AskedOfGuests },
) => {
  /** Whose reports were taken, by the id of the upload. */
  const reporters = new Map<string, Set<string>>()

  return {
    /** The first `count` guests report an upload, one after the other. */
    report: async (index: number, count: number): Promise<void> => {
      const kept = promises.choose(index)
      if (!kept) return
      const { eventId, uploadId } = kept
      const taken = reporters.get(uploadId) ?? new Set()
      reporters.set(uploadId, taken)
      for (let guest = 0; guest < count; guest += 1) {
        const guestId = `guest-${guest}`
        const isTaken = await isAnswered(() =>
          asked.asGuest(guestId, eventId, reportUpload, () =>
            ask('uploads', 'report', ({ gallery }) =>
              gallery.report({ guestId, address: '::1' }, eventId, uploadId),
            ),
          ),
        )
        if (isTaken) taken.add(guestId)
      }
      // What organisers have shown after a report may be reported as often as guests like.
      if (taken.size >= REPORTS_UNTIL_APPROVAL && !promises.isDecided(uploadId))
        await promises.mustBeUnseen(kept)
    },
  }
}
export type Reports = ReturnType<typeof createReports>
