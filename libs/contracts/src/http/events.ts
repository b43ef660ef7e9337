import { z } from 'zod'
import { eventId, userId } from '../ids.ts'
import { defaultTextLimits, type TextLimits } from '../limits.ts'
import { defineRoute } from '../route-contract.ts'
import { requiredText, text } from '../text.ts'

const missing = 'Please fill in all required fields including user.'

const day = z.iso.date({ error: 'Dates are written yyyy-MM-dd.' })
// Days beyond have no instant that every program can read: uploads close some time after the end.
const LAST_DAY = '9000-12-31'
const requiredDay = z
  .string({ error: missing })
  .min(1, { error: missing, abort: true })
  .meta({ format: 'date' })
  .pipe(day)
  .refine((value) => value <= LAST_DAY, { error: `The last day that an event can have is ${LAST_DAY}.` })

export const newEvent = (
  limits: Pick<TextLimits, 'MAX_EVENT_NAME_CHARACTERS' | 'MAX_EVENT_DESCRIPTION_CHARACTERS'>,
) =>
  z
    .object({
      name: requiredText(
        limits.MAX_EVENT_NAME_CHARACTERS,
        missing,
        `The event name is longer than ${limits.MAX_EVENT_NAME_CHARACTERS} characters.`,
      ),
      description: text(
        limits.MAX_EVENT_DESCRIPTION_CHARACTERS,
        `The description is longer than ${limits.MAX_EVENT_DESCRIPTION_CHARACTERS} characters.`,
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
export type NewEvent = z.infer<ReturnType<typeof newEvent>>

/** What anybody with the link may know of an event. */
export const guestEvent = z
  .object({
    _id: eventId,
    name: z.string(),
    description: z.string(),
    startDate: day,
    endDate: day,
    uploadsOpen: z.boolean(),
    uploadsCloseAt: z.iso.datetime(),
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

export const listActiveEvents = listOf('active', 'Events of today: from startDate through endDate')
export const listUpcomingEvents = listOf('upcoming', 'Events before their startDate')
export const listPastEvents = listOf('past', 'Events after their endDate')

export const createEvent = defineRoute({
  method: 'post',
  path: '/api/events',
  summary: 'Make an event and assign it to an organiser',
  access: 'admin',
  body: newEvent(defaultTextLimits),
  responses: { 201: z.object({ message: z.string(), event }) },
})

export const getEvent = defineRoute({
  method: 'get',
  path: '/api/events/{eventId}',
  summary: 'An event: all of it for admins and its organiser, the guest view for everybody else',
  access: 'guest-or-member',
  params: z.object({ eventId }),
  responses: {
    200: z.union([event.extend({ event }), guestEvent.extend({ event: guestEvent })]),
  },
})

export const createQrCode = defineRoute({
  method: 'post',
  path: '/api/events/{eventId}/qrcode',
  summary: 'The upload link as a QR code (PNG data URL, error correction level L)',
  access: 'member',
  params: z.object({ eventId }),
  responses: {
    200: z.object({ qrCodeDataUrl: z.string().startsWith('data:image/png;base64,'), uploadUrl: z.url() }),
  },
})

export const listMyEvents = defineRoute({
  method: 'get',
  path: '/api/myevents',
  summary: 'The events assigned to the caller',
  access: 'user',
  responses: { 200: eventList },
})

/** An event as the uploads service needs it. */
export const eventSummary = z.object({
  _id: eventId,
  eventFor: userId,
  uploadsCloseAt: z.iso.datetime(),
})
export type EventSummary = z.infer<typeof eventSummary>

export const getEventSummary = defineRoute({
  method: 'get',
  path: '/internal/events/{eventId}',
  summary: 'One event, for services whose copy does not have it yet',
  access: 'anyone',
  params: z.object({ eventId }),
  responses: { 200: eventSummary },
})
