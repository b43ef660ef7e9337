import { contactAdmin, type Event } from '@confetti/contracts'
import { call, newEvent, newOrganiser, sample, sendFiles, type Account } from '@confetti/test-kit'
import { startSite, type Site } from './site.ts'
import { whenProcessed } from './stand.ts'

/** A site where something has happened, so that no screen is empty that need not be. */
export interface UsedSite {
  site: Site
  /** Has no event. */
  newcomer: Account
  /** Takes no more uploads. */
  closed: Event
  /** Nobody has sent anything to it. */
  empty: Event
}

export const PHOTO = 'Cake.jpg'
export const VIDEO = 'First dance.mov'
export const CREDIT = 'Table 4'
export const SUBJECT = 'Garden party in June'

const makeUsedSite = async (site: Site): Promise<UsedSite> => {
  const { api, admin, organiser, event } = site
  const files = [
    { name: PHOTO, bytes: await sample('camera-gps.jpg') },
    { name: VIDEO, bytes: await sample('video.mov') },
  ]
  const { body } = await sendFiles(api, event._id, files, CREDIT)
  for (const { _id } of body.uploads as { _id: string }[]) await whenProcessed(site, _id)
  const message = { subject: SUBJECT, message: 'For 80 guests.\nIs that possible?' }
  await call(api, contactAdmin, { token: organiser.token, body: message })
  return {
    site,
    newcomer: await newOrganiser(api),
    closed: await newEvent(api, admin, organiser, { startsIn: -40, endsIn: -35 }),
    empty: await newEvent(api, admin, organiser),
  }
}

/** Starts a site, and has something happen there. */
export const startUsedSite = async (): Promise<UsedSite> => {
  const site = await startSite()
  try {
    return await makeUsedSite(site)
  } catch (error) {
    await site.stop()
    throw error
  }
}

export type Visitor = 'guest' | 'newcomer' | 'organiser' | 'admin'
export const accountOf = (used: UsedSite, visitor: Visitor): Account | undefined =>
  ({
    guest: undefined,
    newcomer: used.newcomer,
    organiser: used.site.organiser,
    admin: used.site.admin,
  })[visitor]
