import {
  eventDetailFields,
  mediaType,
  type Event,
  type EventSummary,
  type GuestEvent,
} from '@confetti/contracts'
import { pickDefined } from '@confetti/service-kit'
import type { StoredEvent } from './event.ts'

/** The address of the guests' upload page, which the QR code contains. */
export const getUploadUrl = (shellUrl: string, eventId: string): string => {
  const url = new URL('/upload', shellUrl)
  url.searchParams.set('eventId', eventId)
  return url.href
}

/** What views tell of the configuration. */
export interface ViewSettings {
  timeZone: string
  shellUrl: string
  /** The largest file that guests can upload. */
  maxFileBytes: number
}
interface ViewOptions extends ViewSettings {
  now: Date
}

/** An event as anyone with the link sees it. */
export const toGuestView = (
  event: StoredEvent,
  { now, timeZone, maxFileBytes }: Omit<ViewOptions, 'shellUrl'>,
): GuestEvent => ({
  ...pickDefined(event, eventDetailFields),
  _id: event._id,
  uploadsOpen: now < event.uploadsCloseAt,
  uploadsCloseAt: event.uploadsCloseAt.toISOString(),
  timeZone,
  limits: { maxFileBytes, types: mediaType.options },
})

/** An event as admins and its organiser see it. */
export const toFullView = (event: StoredEvent, options: ViewOptions): Event => ({
  ...toGuestView(event, options),
  eventFor: event.eventFor,
  uploadUrl: getUploadUrl(options.shellUrl, event._id),
  createdAt: event.createdAt.toISOString(),
})

/** An event as other services copy it. */
export const toSummary = (event: StoredEvent): EventSummary => ({
  _id: event._id,
  eventFor: event.eventFor._id,
  uploadsCloseAt: event.uploadsCloseAt.toISOString(),
})
