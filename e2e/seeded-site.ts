import {
  contactAdmin,
  inviteOrganiser,
  inviteUser,
  replyToContact,
  setUploadsVisibility,
  updateEvent,
  type Contact,
  type Event,
} from '@confetti/contracts'
import { call, newEvent, newOrganiser, readSample, sendFiles, type Account } from '@confetti/test-kit'
import { waitForProcessing } from './harness.ts'
import { startSite, type Site } from './site.ts'

/** A site with uploads, a contact message and events in several states. */
export interface SeededSite {
  site: Site
  organiserWithoutEvents: Account
  /** An event that no longer accepts uploads. */
  closedEvent: Event
  /** An event with a welcome text, a cover, quotas and a gallery. */
  configuredEvent: Event
  /** An event with a photo that waits for approval, and a gallery that opens in 2099. */
  moderatedEvent: Event
  /** An event without uploads. */
  emptyEvent: Event
  /** The path of the link that invites somebody to have an account, and of one that invites to organise an event. */
  invitationPath: string
  organiserInvitationPath: string
}

export const PHOTO = 'Cake.jpg'
export const VIDEO = 'First dance.mov'
export const CREDIT = 'Table 4'
export const WELCOME = 'We are happy that you are here!'
export const SUBJECT = 'Garden party in June'
export const REPLY = 'Of course. It is set up.'

export const INVITED = 'invited@example.com'

const pathOf = (link: string): string => {
  const { pathname, hash } = new URL(link)
  return pathname + hash
}

/** Creates an event whose settings were made. */
const createConfiguredEvent = async (site: Site): Promise<Event> => {
  const { api, admin, organiser } = site
  // In the past, so that it is below the event whose card the tests of the list look at.
  const { _id: eventId } = await newEvent(api, admin, organiser, { startsIn: -20, endsIn: -18 })
  const { body: sent } = await sendFiles(api, eventId, [
    { name: PHOTO, bytes: await readSample('camera-gps.jpg') },
  ])
  const [upload] = sent.uploads as { _id: string }[]
  if (!upload) throw new Error('The photo for the cover was not stored.')
  await waitForProcessing(site, upload._id, eventId)
  const settings = {
    welcome: WELCOME,
    cover: upload._id,
    maxFiles: 500,
    maxBytes: 50 * 2 ** 30,
    keepDays: 90,
    gallery: 'on' as const,
  }
  const { body } = await call(api, updateEvent, {
    token: admin.token,
    params: { eventId },
    body: { settings },
  })
  return body.event as Event
}

const createModeratedEvent = async (site: Site): Promise<Event> => {
  const { api, admin, organiser } = site
  const { _id: eventId } = await newEvent(api, admin, organiser, { startsIn: -30, endsIn: -28 })
  const settings = { moderation: 'approve', gallery: 'on', revealAt: '2099-06-14T18:00:00.000Z' } as const
  const { body } = await call(api, updateEvent, {
    token: admin.token,
    params: { eventId },
    body: { settings },
  })
  const { body: sent } = await sendFiles(api, eventId, [
    { name: PHOTO, bytes: await readSample('camera-gps.jpg') },
  ])
  const uploadIds = (sent.uploads as { _id: string }[]).map(({ _id }) => _id)
  for (const id of uploadIds) await waitForProcessing(site, id, eventId)
  // The upload may have arrived before the setting.
  await call(api, setUploadsVisibility, {
    token: admin.token,
    params: { eventId },
    body: { uploadIds, visibility: 'pending' },
  })
  return body.event as Event
}

const seedSite = async (site: Site): Promise<SeededSite> => {
  const { api, admin, organiser, event } = site
  const files = [
    { name: PHOTO, bytes: await readSample('camera-gps.jpg') },
    { name: VIDEO, bytes: await readSample('video.mov') },
  ]
  const { body } = await sendFiles(api, event._id, files, CREDIT)
  const message = { subject: SUBJECT, message: 'For 80 guests.\nIs that possible?' }
  const contacted = await call(api, contactAdmin, { token: organiser.token, body: message })
  await call(api, replyToContact, {
    token: admin.token,
    params: { contactId: (contacted.body.contact as Contact)._id },
    body: { message: REPLY },
  })
  const closedEvent = await newEvent(api, admin, organiser, { startsIn: -40, endsIn: -35 })
  const [configuredEvent, moderatedEvent] = await Promise.all([
    createConfiguredEvent(site),
    createModeratedEvent(site),
    ...(body.uploads as { _id: string }[]).map(({ _id }) => waitForProcessing(site, _id)),
  ])
  const invited = await call(api, inviteUser, {
    token: admin.token,
    body: { email: INVITED, role: 'user' },
  })
  const invitedToOrganise = await call(api, inviteOrganiser, {
    token: admin.token,
    params: { eventId: event._id },
    body: { email: INVITED },
  })
  return {
    site,
    invitationPath: pathOf(invited.body.invitationUrl as string),
    organiserInvitationPath: pathOf((invitedToOrganise.body.invitation as { url: string }).url),
    organiserWithoutEvents: await newOrganiser(api),
    closedEvent,
    configuredEvent,
    moderatedEvent,
    emptyEvent: await newEvent(api, admin, organiser),
  }
}

/** Starts a site and creates its test data. Not on a shared one: its lists would have what other files have left. */
export const startSeededSite = async (): Promise<SeededSite> => {
  const site = await startSite()
  try {
    return await seedSite(site)
  } catch (error) {
    await site.stop()
    throw error
  }
}

export type Persona = 'guest' | 'organiserWithoutEvents' | 'organiser' | 'admin'

/** Returns the account of a persona; undefined for a guest. */
export const accountFor = (seededSite: SeededSite, persona: Persona): Account | undefined =>
  ({
    guest: undefined,
    organiserWithoutEvents: seededSite.organiserWithoutEvents,
    organiser: seededSite.site.organiser,
    admin: seededSite.site.admin,
  })[persona]
