import type { MessageData } from '@confetti/contracts'
import { runParts } from '@confetti/service-kit'
import type { Deps } from './deps.ts'

const BATCH_SIZE = 500

/** Removes what is no longer needed, or must go. */
export const createErasure = ({
  config,
  users,
  events,
  newUploads,
  digests,
  mails,
  unsubscriptions,
  erasedIds,
  isMailOn,
  stopping,
  clock,
  logger,
}: Deps) => {
  const removeAll = async (remove: (limit: number) => Promise<number>): Promise<number> => {
    let removed = 0
    for (;;) {
      const count = await remove(BATCH_SIZE)
      removed += count
      if (count < BATCH_SIZE || stopping.aborted) return removed
    }
  }

  return {
    /** Removes everything about an account. What arrives later about it is ignored. */
    eraseUser: async ({ _id: userId, email, erasedAt }: MessageData<'user.deleted.v1'>): Promise<void> => {
      await erasedIds.add(userId)
      const user = await users.find(userId)
      // The account may have had another address, or be unknown here.
      const addresses = new Set([email, ...(user ? [user.email] : [])])
      // Later mails to an address are for its next owner: the message may be repeated for as long as a service is away.
      await mails.removeOfUser(
        userId,
        [...addresses],
        erasedAt === undefined ? undefined : new Date(erasedAt),
      )
      await unsubscriptions.removeOfUser(userId)
      // Last: a repetition needs the address.
      await users.remove(userId)
    },

    /** Removes everything about an event. What arrives later about it is ignored. */
    eraseEvent: async (eventId: string): Promise<void> => {
      await events.erase(eventId)
      await digests.removeOfEvent(eventId)
      await newUploads.removeOfEvent(eventId)
      await mails.removeOfEvent(eventId)
      await unsubscriptions.removeOfEvent(eventId)
    },

    /** Removes records that are no longer needed. Several replicas can run it at once. */
    sweep: async (): Promise<void> => {
      const before = new Date(clock().getTime() - config.MAIL_RETENTION_MS)
      const parts = {
        // A mail that waits for the mail server is sent however long that is away.
        mails: async () => ({
          removedMails: await removeAll((limit) =>
            mails.removeOlderThan(before, limit, { evenWaiting: !isMailOn }),
          ),
        }),
        uploads: async () => ({
          removedUploads: await removeAll((limit) => newUploads.removeOlderThan(before, limit)),
        }),
        erasedIds: erasedIds.removeOld,
      }
      await runParts(parts, { stopping, logger })
    },
  }
}
