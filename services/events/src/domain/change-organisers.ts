import { MAX_ORGANISERS, type Event } from '@confetti/contracts'
import { conflict, invalid, notFound, type Clock, type Principal } from '@confetti/service-kit'
import type { ChangeEvent } from './change-event.ts'
import { toFullView, type ViewSettings } from './event-views.ts'
import { isOrganiser, type UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'findByEmail'>
  changeEvent: ChangeEvent
  clock: Clock
  viewSettings: ViewSettings
}

/**
 * Adds the account with an email address to the organisers of an event, unless it is one already. Throws `notFound` if the
 * caller does not manage the event, `invalid` if there is no such account, `conflict` if there are too many.
 */
export const makeAddOrganiser =
  ({ users, changeEvent, clock, viewSettings }: Deps) =>
  async (eventId: string, principal: Principal, email: string): Promise<Event> => {
    const changed = await changeEvent(eventId, principal, async ({ organisers }) => {
      const user = await users.findByEmail(email)
      if (!user || !isOrganiser(user)) {
        const message = 'There is no organiser with this email address.'
        throw invalid(message, {
          code: 'unknown_user',
          details: [{ field: 'email', message, code: 'unknown_user' }],
        })
      }
      if (organisers.some(({ _id }) => _id === user._id)) return {}
      if (organisers.length >= MAX_ORGANISERS)
        throw conflict(`An event has at most ${MAX_ORGANISERS} organisers.`, { code: 'too_many_organisers' })
      return { organisers: [...organisers, { _id: user._id, email: user.email }] }
    })
    return toFullView(changed, { ...viewSettings, now: clock() })
  }
export type AddOrganiser = ReturnType<typeof makeAddOrganiser>

/** Removes an organiser of an event. Throws `notFound`, or `conflict` if it is the only one. */
export const makeRemoveOrganiser =
  ({ changeEvent, clock, viewSettings }: Omit<Deps, 'users'>) =>
  async (eventId: string, principal: Principal, userId: string): Promise<Event> => {
    const changed = await changeEvent(eventId, principal, ({ organisers }) => {
      const others = organisers.filter(({ _id }) => _id !== userId)
      if (others.length === organisers.length)
        throw notFound('This account does not organise the event.', { code: 'user_not_found' })
      if (others.length === 0)
        throw conflict('An event needs at least one organiser.', { code: 'last_organiser' })
      return { organisers: others }
    })
    return toFullView(changed, { ...viewSettings, now: clock() })
  }
export type RemoveOrganiser = ReturnType<typeof makeRemoveOrganiser>
