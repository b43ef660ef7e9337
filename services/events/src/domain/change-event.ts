import { isDeepStrictEqual } from 'node:util'
import { changeUntilWritten, unavailable, type Principal } from '@confetti/service-kit'
import type { EventStore, StoredEvent } from './event.ts'
import type { FindManagedEvent } from './find-event.ts'
import type { DropErasedOrganisers } from './forget-user.ts'

interface Deps {
  events: Pick<EventStore, 'update'>
  findManagedEvent: FindManagedEvent
  dropErasedOrganisers: DropErasedOrganisers
}

type Changes = Parameters<EventStore['update']>[1]

const eventBusy = () =>
  unavailable('The event is being changed by somebody else. Please try again in a moment.')

const isChange = (event: StoredEvent, changes: Changes): boolean =>
  Object.entries(changes).some(([name, value]) => !isDeepStrictEqual(value, event[name as keyof Changes]))

/**
 * Changes an event on behalf of a member who manages it, by a function from the stored event to what is to be changed,
 * or undefined if that is nothing; what is equal to what is stored is not written. The function runs again if somebody
 * else has changed the event meanwhile. Throws `notFound` for everyone else.
 */
export const makeChangeEvent =
  ({ events, findManagedEvent, dropErasedOrganisers }: Deps) =>
  async (
    eventId: string,
    principal: Principal,
    decide: (event: StoredEvent) => Changes | undefined | Promise<Changes>,
  ): Promise<StoredEvent> =>
    changeUntilWritten(async () => {
      const event = await findManagedEvent(eventId, principal)
      const changes = await decide(event)
      if (!changes || !isChange(event, changes)) return event
      const changed = await events.update(event, changes)
      return changed && dropErasedOrganisers(changed)
    }, eventBusy)
export type ChangeEvent = ReturnType<typeof makeChangeEvent>
