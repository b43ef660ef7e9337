import { MAX_ORGANISERS, type EventSummary } from '@confetti/contracts'
import type { ErasedIds } from '@confetti/service-kit'
import type { CopyEvent, CopyUser } from './copy-records.ts'
import type { Event, EventStore } from './event.ts'
import type { User, UserStore } from './user.ts'

interface Deps {
  events: Pick<EventStore, 'find'>
  users: Pick<UserStore, 'find'>
  copyEvent: CopyEvent
  copyUser: CopyUser
  erasedIds: Pick<ErasedIds, 'has'>
  /** Ask the owners for what the copies lack: records from before this service existed. */
  fetchEvent: (eventId: string) => Promise<EventSummary | undefined>
  fetchUser: (userId: string) => Promise<Omit<User, 'active'> | undefined>
}

// Any message replaces what was fetched.
const FETCHED_REVISION = -1

/** Finds an event and its organisers who may sign in. Undefined if there is no such event. */
export const makeFindRecipients = ({
  events,
  users,
  copyEvent,
  copyUser,
  erasedIds,
  fetchEvent,
  fetchUser,
}: Deps) => {
  const findEvent = async (eventId: string): Promise<Event | undefined> => {
    const copy = await events.find(eventId)
    if (copy || (await erasedIds.has(eventId))) return copy
    const summary = await fetchEvent(eventId)
    if (!summary) return undefined
    await copyEvent(summary, FETCHED_REVISION)
    return events.find(eventId)
  }

  const findUser = async (userId: string): Promise<User | undefined> => {
    const copy = await users.find(userId)
    if (copy || (await erasedIds.has(userId))) return copy
    const user = await fetchUser(userId)
    if (!user) return undefined
    await copyUser({ ...user, active: true }, FETCHED_REVISION)
    return users.find(userId)
  }

  return async (eventId: string): Promise<{ event: Event; organisers: User[] } | undefined> => {
    const event = await findEvent(eventId)
    if (!event) return undefined
    const found = await Promise.all(event.organisers.slice(0, MAX_ORGANISERS).map(findUser))
    return { event, organisers: found.filter((user) => user !== undefined).filter(({ active }) => active) }
  }
}
export type FindRecipients = ReturnType<typeof makeFindRecipients>
