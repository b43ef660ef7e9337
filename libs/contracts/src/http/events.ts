import { z } from 'zod'
import { eventId, userId } from '../ids.ts'
import { defineRoute } from '../route-contract.ts'
import { defaultTextLimits, tooLongMessage, type TextLimits } from '../text-limits.ts'
import { requiredText, text } from '../text.ts'
import { mediaType } from './uploads.ts'

const missing = 'Please fill in all required fields including user.'

const day = z.iso.date({ error: 'Dates are written yyyy-MM-dd.' })
// Uploads close some days after the end of an event; far later dates are outside the range of common date types.
const LAST_DAY = '9000-12-31'
/**
 * The fields of an event that its admin enters and its guests can see. Types and views follow from this declaration; `newEvent` validates the input for each field.
 */
const eventDetails = z.object({
  name: z.string(),
  description: z.string(),
  startDate: day,
  endDate: day,
})
export const eventDetailFields = eventDetails.keyof().options

const requiredDay = z
  .string({ error: missing })
  .min(1, { error: missing, abort: true })
  .meta({ format: 'date' })
  .pipe(day)
  .refine((value) => value <= LAST_DAY, { error: `The last day that an event can have is ${LAST_DAY}.` })

export type EventLimits = Pick<TextLimits, 'MAX_EVENT_NAME_CHARACTERS' | 'MAX_EVENT_DESCRIPTION_CHARACTERS'>

export const newEvent = (limits: EventLimits) =>
  z
    .object({
      name: requiredText(
        limits.MAX_EVENT_NAME_CHARACTERS,
        missing,
        tooLongMessage('event name', limits.MAX_EVENT_NAME_CHARACTERS),
      ),
      description: text(
        limits.MAX_EVENT_DESCRIPTION_CHARACTERS,
        tooLongMessage('description', limits.MAX_EVENT_DESCRIPTION_CHARACTERS),
      ).default(''),
      startDate: requiredDay,
      endDate: requiredDay,
      eventFor: z
        .string({ error: missing })
        .min(1, { error: missing, abort: true })
        .regex(/^[0-9a-fA-F]{24}$/, 'The assigned user does not exist.')
        .toLowerCase(),
    })
    .refine((event) => event.startDate <= event.endDate, {
      error: 'The end date is before the start date.',
      path: ['endDate'],
    })
/** The body of `createEvent` as a form sends it. */
export type EventDraft = z.input<ReturnType<typeof newEvent>>
/** The body of `createEvent` after validation. */
export type NewEvent = z.output<ReturnType<typeof newEvent>>

/** What can be uploaded, so that a page can refuse a file when it is chosen. */
const uploadLimits = z.object({
  maxFileBytes: z.int().positive(),
  /** What the event still accepts. Absent: it has no quota. */
  remainingBytes: z.int().nonnegative().optional(),
  types: z.array(mediaType),
})

/** An event as anyone with the link sees it. */
export const guestEvent = eventDetails
  .extend({
    _id: eventId,
    uploadsOpen: z.boolean(),
    uploadsCloseAt: z.iso.datetime(),
    /** The IANA time zone of the event's days. Services before 0.2 do not send it. */
    timeZone: z.string().optional(),
    /** Services before 0.2 do not send it. */
    limits: uploadLimits.optional(),
  })
  .meta({ id: 'GuestEvent' })
export type GuestEvent = z.infer<typeof guestEvent>

export const event = guestEvent
  .extend({
    eventFor: z.object({ _id: userId, email: z.string() }),
    uploadUrl: z.url(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Event' })
export type Event = z.infer<typeof event>

const eventList = z.object({ events: z.array(event) })

const listOf = <P extends 'active' | 'upcoming' | 'past'>(phase: P, summary: string) =>
  defineRoute({
    method: 'get',
    path: `/api/events/${phase}`,
    summary,
    access: 'admin',
    responses: { 200: eventList },
  })

export const listActiveEvents = listOf(
  'active',
  'List events that take place today, from startDate through endDate',
)
export const listUpcomingEvents = listOf('upcoming', 'List events whose startDate is in the future')
export const listPastEvents = listOf('past', 'List events whose endDate has passed')

export const createEvent = defineRoute({
  method: 'post',
  path: '/api/events',
  summary: 'Create an event and assign it to an organiser',
  access: 'admin',
  body: newEvent(defaultTextLimits),
  responses: { 201: z.object({ message: z.string(), event }) },
})

export const getEvent = defineRoute({
  method: 'get',
  path: '/api/events/{eventId}',
  summary: 'Get an event: all fields for admins and its organiser, the guest view for everyone else',
  access: 'guest-or-member',
  params: z.object({ eventId }),
  responses: {
    200: z.union([event.extend({ event }), guestEvent.extend({ event: guestEvent })]),
  },
})

export const createQrCode = defineRoute({
  method: 'post',
  path: '/api/events/{eventId}/qrcode',
  summary: 'Create a QR code of the upload link (PNG data URL, error correction level L)',
  access: 'member',
  params: z.object({ eventId }),
  responses: {
    200: z.object({ qrCodeDataUrl: z.string().startsWith('data:image/png;base64,'), uploadUrl: z.url() }),
  },
})

export const listMyEvents = defineRoute({
  method: 'get',
  path: '/api/myevents',
  summary: 'List the events assigned to the caller',
  access: 'user',
  responses: { 200: eventList },
})

/** An event as the uploads service copies it. */
export const eventSummary = z.object({
  _id: eventId,
  eventFor: userId,
  uploadsCloseAt: z.iso.datetime(),
})
export type EventSummary = z.infer<typeof eventSummary>

export const getEventSummary = defineRoute({
  method: 'get',
  path: '/internal/events/{eventId}',
  summary: 'An event, for services whose local copy does not have it yet',
  access: 'anyone',
  params: z.object({ eventId }),
  responses: { 200: eventSummary },
  notFoundCode: 'event_not_found',
})
