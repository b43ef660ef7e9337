import type { Locator, Page } from 'playwright-core'
import type { NewPageOptions, Site } from './site.ts'

/**
 * Opens the Create Event form and waits for its list of users. The page's clock is fixed to the evening of 10 June 2027
 * in Los Angeles, which is 11 June in UTC.
 */
export const openEventForm = async (site: Site, options: NewPageOptions = {}): Promise<Page> => {
  const page = await site.newPage({ account: site.admin, timezoneId: 'America/Los_Angeles', ...options })
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

const fieldFillers: Record<string, (page: Page, site: Site) => Promise<unknown>> = {
  'Event Name': (page) => page.getByLabel('Event Name').fill('Garden wedding'),
  'Assign to User': (page, site) => page.getByLabel('Assign to User').selectOption(site.organiser.user.email),
  'Start Date': (page) => pickDay(page, 'Start Date', /\b12 June 2027/),
  'End Date': (page) => pickDay(page, 'End Date', /\b13 June 2027/),
}
export const requiredFields = Object.keys(fieldFillers)

/** Fills in the required fields except `without`. */
export const fillEventForm = async (page: Page, site: Site, without?: string): Promise<void> => {
  for (const [field, fill] of Object.entries(fieldFillers)) if (field !== without) await fill(page, site)
}

/** Reads the values of all fields, from the first to the last. */
export const readEventForm = (page: Page): Promise<string[]> =>
  Promise.all([
    page.getByLabel('Event Name').inputValue(),
    page.getByLabel('Description').inputValue(),
    page.getByLabel('Assign to User').inputValue(),
    dateField(page, 'Start Date').innerText(),
    dateField(page, 'End Date').innerText(),
  ])

/** Records the bodies of the requests that create an event. Returns an array that grows with each request. */
export const recordCreateEventRequests = (page: Page): unknown[] => {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/events')
      bodies.push(request.postDataJSON())
  })
  return bodies
}
