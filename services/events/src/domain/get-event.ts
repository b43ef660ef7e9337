import type { Event, GuestEvent } from '@confetti/contracts'
import type { Clock, Principal } from '@confetti/service-kit'
import { toFullView, toGuestView } from './event-views.ts'
import { canManage, type FindEvent } from './find-event.ts'

interface Deps {
  findEvent: FindEvent
  clock: Clock
  timeZone: string
  shellUrl: string
  maxFileBytes: number
}

/** Gets an event: all of it for admins and its organiser, the guest view for everyone else. Throws `notFound`. */
export const makeGetEvent =
  ({ findEvent, clock, timeZone, shellUrl, maxFileBytes }: Deps) =>
  async (eventId: string, principal: Principal | undefined): Promise<Event | GuestEvent> => {
    const event = await findEvent(eventId)
    const options = { now: clock(), timeZone, shellUrl, maxFileBytes }
    return canManage(event, principal) ? toFullView(event, options) : toGuestView(event, options)
  }
export type GetEvent = ReturnType<typeof makeGetEvent>
