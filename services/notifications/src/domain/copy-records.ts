import type { EventSummary } from '@confetti/contracts'
import type { ErasedIds } from '@confetti/service-kit'
import type { EventStore } from './event.ts'
import type { User, UserStore } from './user.ts'

/** The revision of a record that has not been changed since it was created. */
export const FIRST_REVISION = 0

interface UserDeps {
  users: Pick<UserStore, 'save' | 'remove'>
  erasedIds: Pick<ErasedIds, 'has'>
}

/** Updates the copy of an account, unless it has been deleted or the copy is newer. */
export const makeCopyUser =
  ({ users, erasedIds }: UserDeps) =>
  async (user: User, revision: number): Promise<void> => {
    await users.save(user, revision)
    // Only now: an erasure that begins after this check finds the copy.
    if (await erasedIds.has(user._id)) await users.remove(user._id)
  }
export type CopyUser = ReturnType<typeof makeCopyUser>

interface EventDeps {
  events: Pick<EventStore, 'save' | 'remove'>
  erasedIds: Pick<ErasedIds, 'has'>
}

type CopiedEvent = Pick<EventSummary, '_id' | 'eventFor' | 'organisers' | 'name' | 'timeZone' | 'deleteAt'>

/** Updates the copy of an event, unless it has been deleted or the copy is newer. */
export const makeCopyEvent =
  ({ events, erasedIds }: EventDeps) =>
  async (
    { _id, eventFor, organisers, name, timeZone, deleteAt }: CopiedEvent,
    revision: number,
  ): Promise<void> => {
    await events.save(
      {
        _id,
        name,
        timeZone,
        organisers: organisers ?? [eventFor],
        deleteAt: deleteAt ? new Date(deleteAt) : undefined,
      },
      revision,
    )
    // Only now: an erasure that begins after this check finds the copy.
    if (await erasedIds.has(_id)) await events.remove(_id)
  }
export type CopyEvent = ReturnType<typeof makeCopyEvent>
