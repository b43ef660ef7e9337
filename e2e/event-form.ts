import type { Locator, Page } from 'playwright-core'
import type { Site, Visit } from './site.ts'

/** The form of Create Event, with its users, on a day of its own: there it is the evening of 10 June 2027, for UTC the 11th. */
export const openEventForm = async (site: Site, visit: Visit = {}): Promise<Page> => {
  const page = await site.visit({ as: site.admin, timezoneId: 'America/Los_Angeles', ...visit })
  await page.clock.setFixedTime('2027-06-11T05:00:00Z')
  await page.goto('/events/create')
  await page.getByRole('option', { name: site.organiser.user.email }).waitFor({ state: 'attached' })
  return page
}

export const dateField = (page: Page, label: string): Locator =>
  page.getByRole('button', { name: new RegExp(`^${label},`) })

export const pickDay = async (page: Page, label: string, day: RegExp): Promise<void> => {
  await dateField(page, label).click()
  await page.getByRole('dialog', { name: label }).getByRole('button', { name: day }).click()
}

const fillers: Record<string, (page: Page, site: Site) => Promise<unknown>> = {
  'Event Name': (page) => page.getByLabel('Event Name').fill('Garden wedding'),
  'Assign to User': (page, site) => page.getByLabel('Assign to User').selectOption(site.organiser.user.email),
  'Start Date': (page) => pickDay(page, 'Start Date', /\b12 June 2027/),
  'End Date': (page) => pickDay(page, 'End Date', /\b13 June 2027/),
}
export const requiredFields = Object.keys(fillers)

/** Fills in what is required, but for `without`. */
export const fillEventForm = async (page: Page, site: Site, without?: string): Promise<void> => {
  for (const [field, fill] of Object.entries(fillers)) if (field !== without) await fill(page, site)
}

/** What the form shows, from its first field to its last. */
export const readEventForm = (page: Page): Promise<string[]> =>
  Promise.all([
    page.getByLabel('Event Name').inputValue(),
    page.getByLabel('Description').inputValue(),
    page.getByLabel('Assign to User').inputValue(),
    dateField(page, 'Start Date').innerText(),
    dateField(page, 'End Date').innerText(),
  ])

/** The events that a page has sent to be made, so far. */
export const draftsSentBy = (page: Page): unknown[] => {
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/events')
      sent.push(request.postDataJSON())
  })
  return sent
}
