import type { MessageData } from '@confetti/contracts'
import type { DigestStore, NewUploadStore } from './digest.ts'
import type { ErasedIds } from '@confetti/service-kit'
import type { EventStore } from './event.ts'
import type { MailStore } from './mail.ts'
import type { UnsubscriptionStore } from './unsubscription.ts'
import type { UserStore } from './user.ts'

interface UserDeps {
  erasedIds: Pick<ErasedIds, 'add'>
  users: Pick<UserStore, 'find' | 'remove'>
  mails: Pick<MailStore, 'removeOfUser'>
  unsubscriptions: Pick<UnsubscriptionStore, 'removeOfUser'>
}

/** Removes everything about an account. What arrives later about it is ignored. */
export const makeEraseUser =
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
export type EraseUser = ReturnType<typeof makeEraseUser>

interface EventDeps {
  erasedIds: Pick<ErasedIds, 'add'>
  events: Pick<EventStore, 'remove'>
  newUploads: Pick<NewUploadStore, 'removeOfEvent'>
  digests: Pick<DigestStore, 'removeOfEvent'>
  mails: Pick<MailStore, 'removeOfEvent'>
  unsubscriptions: Pick<UnsubscriptionStore, 'removeOfEvent'>
}

/** Removes everything about an event. What arrives later about it is ignored. */
export const makeEraseEvent =
  ({ erasedIds, events, newUploads, digests, mails, unsubscriptions }: EventDeps) =>
  async (eventId: string): Promise<void> => {
    await erasedIds.add(eventId)
    await events.remove(eventId)
    await digests.removeOfEvent(eventId)
    await newUploads.removeOfEvent(eventId)
    await mails.removeOfEvent(eventId)
    await unsubscriptions.removeOfEvent(eventId)
  }
export type EraseEvent = ReturnType<typeof makeEraseEvent>
