import { isDeepStrictEqual } from 'node:util'
import type { MessageData } from '@confetti/contracts'
import { changeUntilWritten, eventNotFound, unavailable } from '@confetti/service-kit'
import type { Accounts } from './accounts/accounts.ts'
import type { Deps } from './deps.ts'
import { missingFrom, type EventChanges, type StoredEvent } from './event.ts'

const eventBusy = () =>
  unavailable('The event is being changed by somebody else. Please try again in a moment.')

const isChange = (event: StoredEvent, changes: EventChanges): boolean =>
  Object.entries(changes).some(
    ([name, value]) => !isDeepStrictEqual(value, event[name as keyof EventChanges]),
  )

/** Ends the invitations of organisers who leave, and those to the addresses of who become organisers. */
const endInvitations = (event: StoredEvent, changes: EventChanges): EventChanges => {
  const { organisers, organiserInvitations = event.organiserInvitations } = changes
  if (!organisers) return changes
  const left = missingFrom(event.organisers, organisers).map(({ _id }) => _id)
  const added = missingFrom(organisers, event.organisers).map(({ email }) => email)
  return {
    ...changes,
    organiserInvitations: organiserInvitations.filter(
      ({ email, invitedBy }) => !left.includes(invitedBy) && !added.includes(email),
    ),
  }
}

interface Decision {
  changes: EventChanges
  /** The mail to somebody whom the change invites. */
  invited?: MessageData<'organiser.invited.v1'> | undefined
}

/**
 * Creates the function that changes events: by a function from the stored event to what is to be changed, or undefined if
 * that is nothing; what is equal to what is stored is not written. `decide` runs again if somebody else has changed the event
 * meanwhile. Throws `notFound` if the event does not exist any more.
 */
export const createChangeEvent =
  ({ events }: Deps, { dropErased }: Accounts) =>
  (
    event: StoredEvent,
    decide: (event: StoredEvent) => Decision | undefined | Promise<Decision | undefined>,
  ): Promise<StoredEvent> => {
    let latest: StoredEvent | undefined = event
    let isLasting = false
    return changeUntilWritten(async () => {
      const current = latest ?? (await (isLasting ? events.findLasting : events.find)(event._id))
      latest = undefined
      if (!current) throw eventNotFound()
      const decision = await decide(current)
      const changes = decision && endInvitations(current, decision.changes)
      // What is acknowledged because it is there already must be as durable as what is written for it.
      if (!changes || !isChange(current, changes)) {
        if (isLasting) return current
        isLasting = true
        return undefined
      }
      isLasting = false
      const changed = await events.update(current, changes, decision.invited)
      return changed && dropErased(changed)
    }, eventBusy)
  }
export type ChangeEvent = ReturnType<typeof createChangeEvent>
