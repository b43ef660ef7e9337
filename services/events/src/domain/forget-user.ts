import type { EventStore } from './event.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'erase'>
  events: Pick<EventStore, 'listByOrganiser' | 'update'>
}

/** Erases what is left of an account: its copy, and its part in events. */
export const makeForgetUser =
  ({ users, events }: Deps) =>
  async (userId: string): Promise<void> => {
    // First, so that no event can be assigned to it any more.
    await users.erase(userId)
    for (const event of await events.listByOrganiser(userId)) {
      const organisers = event.organisers.filter(({ _id }) => _id !== userId)
      if (!(await events.update(event, { organisers })))
        throw new Error(`Event ${event._id} changed meanwhile, will try again`)
    }
  }
export type ForgetUser = ReturnType<typeof makeForgetUser>
