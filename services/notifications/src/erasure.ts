import type { MessageData } from '@confetti/contracts'
import type { DigestStore, NewUploadStore, UnsubscriptionStore } from './digests/digests.ts'
import type { Clock, ErasedIds, Logger } from '@confetti/service-kit'
import type { MailStore } from './mails/mail.ts'
import type { EventStore, UserStore } from './recipients/recipients.ts'

interface UserDeps {
  erasedIds: Pick<ErasedIds, 'add'>
  users: Pick<UserStore, 'find' | 'remove'>
  mails: Pick<MailStore, 'removeOfUser'>
  unsubscriptions: Pick<UnsubscriptionStore, 'removeOfUser'>
}

/** Removes everything about an account. What arrives later about it is ignored. */
export const createEraseUser =
  ({ erasedIds, users, mails, unsubscriptions }: UserDeps) =>
  async ({ _id: userId, email }: MessageData<'user.deleted.v1'>): Promise<void> => {
    await erasedIds.add(userId)
    const user = await users.find(userId)
    // The account may have had another address, or be unknown here.
    const addresses = new Set([email, user?.email].flatMap((address) => address ?? []))
    await mails.removeOfUser(userId, [...addresses])
    await unsubscriptions.removeOfUser(userId)
    // Last: a repetition needs the address.
    await users.remove(userId)
  }
interface EventDeps {
  events: Pick<EventStore, 'erase'>
  newUploads: Pick<NewUploadStore, 'removeOfEvent'>
  digests: Pick<DigestStore, 'removeOfEvent'>
  mails: Pick<MailStore, 'removeOfEvent'>
  unsubscriptions: Pick<UnsubscriptionStore, 'removeOfEvent'>
}

/** Removes everything about an event. What arrives later about it is ignored. */
export const createEraseEvent =
  ({ events, newUploads, digests, mails, unsubscriptions }: EventDeps) =>
  async (eventId: string): Promise<void> => {
    await events.erase(eventId)
    await digests.removeOfEvent(eventId)
    await newUploads.removeOfEvent(eventId)
    await mails.removeOfEvent(eventId)
    await unsubscriptions.removeOfEvent(eventId)
  }

interface SweepDeps {
  mails: Pick<MailStore, 'removeOlderThan'>
  newUploads: Pick<NewUploadStore, 'removeOlderThan'>
  erasedIds: Pick<ErasedIds, 'removeOld'>
  clock: Clock
  retentionMs: number
  logger: Logger
}

const BATCH_SIZE = 500

/** Removes records that are no longer needed. Several replicas can run it at once. */
export const createSweep =
  ({ mails, newUploads, erasedIds, clock, retentionMs, logger }: SweepDeps) =>
  async (): Promise<void> => {
    const before = new Date(clock().getTime() - retentionMs)
    const removeAll = async (remove: (limit: number) => Promise<number>): Promise<number> => {
      let removed = 0
      for (;;) {
        const count = await remove(BATCH_SIZE)
        removed += count
        if (count < BATCH_SIZE) return removed
      }
    }
    const removedMails = await removeAll((limit) => mails.removeOlderThan(before, limit))
    const removedUploads = await removeAll((limit) => newUploads.removeOlderThan(before, limit))
    await erasedIds.removeOld()
    logger.info({ removedMails, removedUploads }, 'sweep completed')
  }
