import type { Event, GuestEvent } from '@confetti/contracts'
import type { StoredEvent } from '../storage/event-store.ts'

/** Where guests upload: the code on the tables leads here. */
export const uploadUrlOf = (shellUrl: string, eventId: string): string => {
  const url = new URL('/upload', shellUrl)
  url.searchParams.set('eventId', eventId)
  return url.href
}

/** What anybody with the link may see. */
export const guestView = (event: StoredEvent, now: Date): GuestEvent => ({
  _id: event._id,
  name: event.name,
  description: event.description,
  startDate: event.startDate,
  endDate: event.endDate,
  uploadsOpen: now < event.uploadsCloseAt,
  uploadsCloseAt: event.uploadsCloseAt.toISOString(),
})

/** What admins and the event's organiser see. */
export const fullView = (event: StoredEvent, { now, shellUrl }: { now: Date; shellUrl: string }): Event => ({
  ...guestView(event, now),
  eventFor: event.eventFor,
  uploadUrl: uploadUrlOf(shellUrl, event._id),
  createdAt: event.createdAt.toISOString(),
})
