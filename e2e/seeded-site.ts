import { contactAdmin, type Event } from '@confetti/contracts'
import { call, newEvent, newOrganiser, readSample, sendFiles, type Account } from '@confetti/test-kit'
import { waitForProcessing } from './harness.ts'
import { startSite, type Site } from './site.ts'

/** A site with uploads, a contact message and events in several states. */
export interface SeededSite {
  site: Site
  organiserWithoutEvents: Account
  /** An event that no longer accepts uploads. */
  closedEvent: Event
  /** An event without uploads. */
  emptyEvent: Event
}

export const PHOTO = 'Cake.jpg'
export const VIDEO = 'First dance.mov'
export const CREDIT = 'Table 4'
export const SUBJECT = 'Garden party in June'

const seedSite = async (site: Site): Promise<SeededSite> => {
  const { api, admin, organiser, event } = site
  const files = [
    { name: PHOTO, bytes: await readSample('camera-gps.jpg') },
    { name: VIDEO, bytes: await readSample('video.mov') },
  ]
  const { body } = await sendFiles(api, event._id, files, CREDIT)
  for (const { _id } of body.uploads as { _id: string }[]) await waitForProcessing(site, _id)
  const message = { subject: SUBJECT, message: 'For 80 guests.\nIs that possible?' }
  await call(api, contactAdmin, { token: organiser.token, body: message })
  return {
    site,
    organiserWithoutEvents: await newOrganiser(api),
    closedEvent: await newEvent(api, admin, organiser, { startsIn: -40, endsIn: -35 }),
    emptyEvent: await newEvent(api, admin, organiser),
  }
}

/** Starts a site and creates its test data. */
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
