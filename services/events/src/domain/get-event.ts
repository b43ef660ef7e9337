import type { Event, GuestEvent } from '@confetti/contracts'
import type { Clock, Principal } from '@confetti/service-kit'
import { toFullView, toGuestView, type ViewSettings } from './event-views.ts'
import { canManage, type FindEvent } from './find-event.ts'

interface Deps {
  findEvent: FindEvent
  clock: Clock
  viewSettings: ViewSettings
}

/** Gets an event: all of it for admins and its organiser, the guest view for everyone else. Throws `notFound`. */
export const makeGetEvent =
  ({ findEvent, clock, viewSettings }: Deps) =>
  async (eventId: string, principal: Principal | undefined): Promise<Event | GuestEvent> => {
    const event = await findEvent(eventId)
    const options = { ...viewSettings, now: clock() }
    return canManage(event, principal) ? toFullView(event, options) : toGuestView(event, options)
  }
export type GetEvent = ReturnType<typeof makeGetEvent>
