import type { EventStore, StoredEvent } from './event.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'erase'>
  events: Pick<EventStore, 'listByOrganiser' | 'update'>
}

const MAX_ATTEMPTS = 10

/** Erases what is left of an account: its copy, and its part in events. */
export const makeForgetUser =
  ({ users, events }: Deps) =>
  async (userId: string): Promise<void> => {
    // First, so that no event can be assigned to it any more.
    await users.erase(userId)
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const organised = await events.listByOrganiser(userId)
      if (organised.length === 0) return
      // An event that changes meanwhile is found again.
      for (const event of organised)
        await events.update(event, { organisers: event.organisers.filter(({ _id }) => _id !== userId) })
    }
    throw new Error('Events of the account change all the time, will try again')
  }
export type ForgetUser = ReturnType<typeof makeForgetUser>

interface DropDeps {
  users: Pick<UserStore, 'isErased'>
  events: Pick<EventStore, 'find'>
  forgetUser: ForgetUser
}

/**
 * Returns an event that has just been written without organisers whose accounts were erased meanwhile: `forgetUser` did
 * not find them in it if it ran before the write.
 */
export const makeDropErasedOrganisers =
  ({ users, events, forgetUser }: DropDeps) =>
  async (event: StoredEvent): Promise<StoredEvent> => {
    const isErased = await Promise.all(event.organisers.map(({ _id }) => users.isErased(_id)))
    const erased = event.organisers.filter((_, index) => isErased[index])
    for (const { _id } of erased) await forgetUser(_id)
    return erased.length === 0 ? event : ((await events.find(event._id)) ?? event)
  }
export type DropErasedOrganisers = ReturnType<typeof makeDropErasedOrganisers>
