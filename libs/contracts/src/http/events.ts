import { z } from 'zod'
import { eventId, invitationId, shortCode, uploadId, userId } from '../ids.ts'
import { defineRoute, issueParams } from '../route-contract.ts'
import { defaultTextLimits, tooLongMessage, type TextLimits } from '../text-limits.ts'
import { requiredText, text } from '../text.ts'
import { messageResponse } from './errors.ts'
import { settingsChange, storedSettings } from './event-settings.ts'
import { consentVersion, mediaType } from './uploads.ts'

const missing = 'Please fill in all required fields including user.'

const day = z.iso.date({ error: 'Dates are written yyyy-MM-dd.' })
// Uploads close some days after the end of an event; far later dates are outside the range of common date types.
const LAST_DAY = '9000-12-31'
/**
 * The fields of an event that its admin enters and its guests can see. Stored types, views, changes and the audit log
 * follow from this declaration; `detailFields` validates the input for each field.
 */
const eventDetails = z.object({
  name: z.string(),
  description: z.string(),
  startDate: day,
  endDate: day,
})
export type EventDetails = z.infer<typeof eventDetails>
export const eventDetailFields = eventDetails.keyof().options

const requiredDay = z
  .string({ error: missing })
  .min(1, { error: missing, abort: true })
  .meta({ format: 'date' })
  .pipe(day)
  .refine((value) => value <= LAST_DAY, {
    error: `The last day that an event can have is ${LAST_DAY}.`,
    params: issueParams('date_too_late'),
  })

export type EventLimits = Pick<
  TextLimits,
  'MAX_EVENT_NAME_CHARACTERS' | 'MAX_EVENT_DESCRIPTION_CHARACTERS' | 'MAX_WELCOME_CHARACTERS'
>

const unknownUser = 'The assigned user does not exist.'

/** The input of each field of `eventDetails`. */
const detailFields = (limits: EventLimits) =>
  ({
    name: requiredText(
      limits.MAX_EVENT_NAME_CHARACTERS,
      missing,
      tooLongMessage('event name', limits.MAX_EVENT_NAME_CHARACTERS),
    ),
    description: text(
      limits.MAX_EVENT_DESCRIPTION_CHARACTERS,
      tooLongMessage('description', limits.MAX_EVENT_DESCRIPTION_CHARACTERS),
    ),
    startDate: requiredDay,
    endDate: requiredDay,
  }) satisfies Record<keyof EventDetails, z.ZodType>

export const datesReversed = 'The end date is before the start date.'

export const newEvent = (limits: EventLimits) => {
  const details = detailFields(limits)
  return z
    .object({
      ...details,
      description: details.description.default(''),
      eventFor: z
        .string({ error: missing })
        .min(1, { error: missing, abort: true })
        .regex(/^[0-9a-fA-F]{24}$/, unknownUser)
        .toLowerCase(),
    })
    .refine((event) => event.startDate <= event.endDate, {
      error: datesReversed,
      path: ['endDate'],
      params: issueParams('end_before_start'),
    })
}
/** The body of `createEvent` as a form sends it. */
export type EventDraft = z.input<ReturnType<typeof newEvent>>
/** The body of `createEvent` after validation. */
export type NewEvent = z.output<ReturnType<typeof newEvent>>

export const MAX_ORGANISERS = 10

/** The body of `updateEvent`. What is absent stays. */
export const eventChange = (limits: EventLimits) =>
  z
    .object({
      ...detailFields(limits),
      organisers: z
        .array(
          z
            .string()
            .regex(/^[0-9a-fA-F]{24}$/, unknownUser)
            .toLowerCase(),
          { error: unknownUser },
        )
        .min(1, 'An event has at least one organiser.')
        .max(MAX_ORGANISERS, `An event has at most ${MAX_ORGANISERS} organisers.`)
        .refine((ids) => new Set(ids).size === ids.length, 'An organiser is listed twice.'),
      settings: settingsChange(limits),
    })
    .partial()
export type EventChange = z.output<ReturnType<typeof eventChange>>

/** What can be uploaded, so that a page can refuse a file when it is chosen. */
const uploadLimits = z.object({
  maxFileBytes: z.int().positive(),
  /** What the event still accepts; 0 also if it has all its files. Absent: no limit of bytes, or not known. */
  remainingBytes: z.int().nonnegative().optional(),
  types: z.array(mediaType),
})

/** An event as anyone with the link sees it. */
export const guestEvent = eventDetails
  .extend({
    _id: eventId,
    uploadsOpen: z.boolean(),
    uploadsCloseAt: z.iso.datetime(),
    /** The IANA time zone of the event's days. */
    timeZone: z.string(),
    limits: uploadLimits,
    /** A text of the organisers for guests. */
    welcome: z.string().optional(),
    /** Of guests whose own languages there is no translation for. */
    language: storedSettings.shape.language,
    /** The name and the welcome text in other languages. */
    translations: storedSettings.shape.translations,
    /** The photo that `getEventCover` gives a link to. */
    cover: uploadId.optional(),
    /** Whether guests see what others have sent; absent: no. */
    gallery: z.enum(['off', 'on']).optional(),
    /** Whether guests can save copies of what they see; absent: no. */
    save: storedSettings.shape.save,
    /** When the gallery opens. */
    revealAt: z.iso.datetime().optional(),
    /** 'approve': others see an upload once an organiser has approved it; absent: at once. */
    moderation: storedSettings.shape.moderation,
    /** What guests must agree to before they send anything; `version` goes with what they send. */
    consent: storedSettings.shape.consent.unwrap().extend({ version: consentVersion }).optional(),
    /** Who is responsible for what guests send, and how to reach them. */
    responsible: storedSettings.shape.responsible,
    /** When the event is going to be deleted with all photos and videos, if it is not kept forever. */
    deleteAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'GuestEvent' })
export type GuestEvent = z.infer<typeof guestEvent>

const organiser = z.object({ _id: userId, email: z.string() })

/** An invitation to organise an event, as its managers see it. */
export const organiserInvitation = z.object({
  _id: invitationId,
  email: z.string(),
  /** When its link stops working. */
  expiresAt: z.iso.datetime(),
})
export type OrganiserInvitation = z.infer<typeof organiserInvitation>

export const event = guestEvent
  .extend({
    /** The first of its organisers. */
    eventFor: organiser,
    organisers: z.array(organiser),
    /** Those that have been neither accepted nor withdrawn, and have not expired. */
    organiserInvitations: z.array(organiserInvitation),
    settings: storedSettings,
    /** Whether guests can save where the gallery is on, unless `settings.save` is there. Absent in events of earlier versions: no. */
    savesWithGallery: z.literal(true).optional(),
    /** Whether there is a link to its live wall. */
    hasWall: z.boolean(),
    uploadUrl: z.url(),
    /** What guests type who cannot scan its QR code, without the dash. Absent for minutes in events of earlier versions. */
    shortCode: shortCode.optional(),
    /** The short link to the upload page; absent without `shortCode`. */
    shortUrl: z.url().optional(),
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
  needsPass: true,
  issuesGuestToken: true,
  params: z.object({ eventId }),
  responses: {
    200: z.union([event.extend({ event }), guestEvent.extend({ event: guestEvent })]),
  },
})

export const changedEvent = z.object({ message: z.string(), event })

export const updateEvent = defineRoute({
  method: 'patch',
  path: '/api/events/{eventId}',
  summary: 'Change an event: all of it for admins, its settings for its organisers',
  access: 'manager',
  params: z.object({ eventId }),
  body: eventChange(defaultTextLimits),
  responses: { 200: changedEvent },
  errors: [403, 503],
})

export const deleteEvent = defineRoute({
  method: 'delete',
  path: '/api/events/{eventId}',
  summary: 'Delete an event with all of its uploads',
  access: 'admin',
  params: z.object({ eventId }),
  responses: { 200: messageResponse },
})

export const createQrCode = defineRoute({
  method: 'post',
  path: '/api/events/{eventId}/qrcode',
  summary: 'Create a QR code of the upload link (PNG data URL, error correction level L)',
  access: 'manager',
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

export const createWall = defineRoute({
  method: 'post',
  path: '/api/events/{eventId}/wall',
  summary: 'Create the link to the live wall of an event. Earlier links end',
  access: 'manager',
  params: z.object({ eventId }),
  responses: { 201: z.object({ message: z.string(), url: z.url() }) },
})

export const deleteWall = defineRoute({
  method: 'delete',
  path: '/api/events/{eventId}/wall',
  summary: 'End the link to the live wall of an event',
  access: 'manager',
  params: z.object({ eventId }),
  responses: { 200: messageResponse },
})

/** Fixed paths first: 'active' in /api/events/active is not an event id. */
export const eventsRoutes = {
  listActiveEvents,
  listUpcomingEvents,
  listPastEvents,
  createEvent,
  getEvent,
  updateEvent,
  deleteEvent,
  createQrCode,
  listMyEvents,
  createWall,
  deleteWall,
}
