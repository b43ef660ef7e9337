import type { ErasedIds } from '@confetti/service-kit'
import type { Event, EventStore } from './event.ts'
import type { User, UserStore } from './user.ts'

interface Deps {
  events: Pick<EventStore, 'find' | 'save'>
  users: Pick<UserStore, 'find' | 'save'>
  erasedIds: Pick<ErasedIds, 'has'>
  /** Ask the owners for what the copies lack: records from before this service existed. */
  fetchEvent: (eventId: string) => Promise<Event | undefined>
  fetchUser: (userId: string) => Promise<Omit<User, 'active'> | undefined>
}

// As many organisers as an event can have.
const MAX_ORGANISERS = 10
// Any message replaces what was fetched.
const FETCHED_REVISION = -1

/** Finds an event and its organisers who may sign in. Undefined if there is no such event. */
export const makeFindRecipients = ({ events, users, erasedIds, fetchEvent, fetchUser }: Deps) => {
  const findEvent = async (eventId: string): Promise<Event | undefined> => {
    const copy = await events.find(eventId)
    if (copy || (await erasedIds.has(eventId))) return copy
    const fetched = await fetchEvent(eventId)
    if (fetched) await events.save(fetched, FETCHED_REVISION)
    return fetched
  }

  const findUser = async (userId: string): Promise<User | undefined> => {
    const copy = await users.find(userId)
    if (copy || (await erasedIds.has(userId))) return copy
    const fetched = await fetchUser(userId)
    if (!fetched) return undefined
    const user = { ...fetched, active: true }
    await users.save(user, FETCHED_REVISION)
    return user
  }

  return async (eventId: string): Promise<{ event: Event; organisers: User[] } | undefined> => {
    const event = await findEvent(eventId)
    if (!event) return undefined
    const found = await Promise.all(event.organisers.slice(0, MAX_ORGANISERS).map(findUser))
    return { event, organisers: found.filter((user) => user !== undefined).filter(({ active }) => active) }
  }
}
export type FindRecipients = ReturnType<typeof makeFindRecipients>
