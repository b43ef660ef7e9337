import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { getEvent } from '@confetti/contracts'
import { call } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import {
  dateField,
  draftsSentBy,
  fillEventForm,
  openEventForm,
  pickDay,
  readEventForm,
  requiredFields,
} from './event-form.ts'
import { startSite, type Site } from './site.ts'
import { toast } from './toast.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
}, 120_000)
afterAll(() => site.stop())

const MISSING = 'Please fill in all required fields including user.'
const empty = ['', '', '', 'Pick a date', 'Pick a date']

const submit = (page: Page): Promise<void> => page.getByRole('button', { name: 'Create Event' }).click()
const whenFocusIsOn = async (page: Page, named: string): Promise<void> => {
  await page.waitForFunction(
    (name) => document.activeElement?.getAttribute('aria-label')?.includes(name),
    named,
  )
}

test('When an admin picks days with the mouse, then the event has these days, and the form is empty again', async () => {
  const page = await openEventForm(site, { timezoneId: 'Pacific/Auckland' })
  const sent = draftsSentBy(page)
  const name = `Wedding ${randomBytes(4).toString('hex')}`
  await page.getByLabel('Event Name').fill(name)
  await page.getByLabel('Description').fill('Dinner in the barn.\nBring a coat.')
  await page.getByLabel('Assign to User').selectOption(site.organiser.user.email)

  await dateField(page, 'Start Date').click()
  const calendar = page.getByRole('dialog', { name: 'Start Date' })
  await calendar.getByRole('grid', { name: 'June 2027' }).waitFor()
  await calendar.getByRole('button', { name: /next month/i }).click()
  await calendar.getByRole('grid', { name: 'July 2027' }).waitFor()
  await calendar.getByRole('button', { name: /\b31 July 2027/ }).click()
  await calendar.waitFor({ state: 'detached' })
  await pickDay(page, 'End Date', /\b1 August 2027/)
  expect((await readEventForm(page)).slice(3)).toEqual(['31 Jul 2027', '1 Aug 2027'])

  const answer = page.waitForResponse((response) => response.request().method() === 'POST')
  await submit(page)
  await toast(page, 'Event created successfully').waitFor()
  const draft = {
    name,
    description: 'Dinner in the barn.\nBring a coat.',
    startDate: '2027-07-31',
    endDate: '2027-08-01',
  }
  expect(sent).toEqual([{ ...draft, eventFor: site.organiser.user._id }])
  expect(await readEventForm(page)).toEqual(empty)
  const { event } = (await (await answer).json()) as { event: { _id: string } }
  const kept = await call(site.api, getEvent, { token: site.admin.token, params: { eventId: event._id } })
  expect(kept.body).toMatchObject({ ...draft, eventFor: { email: site.organiser.user.email } })

  await page.getByRole('link', { name: 'See its QR code' }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
})

test('When an admin picks days with the keyboard, then the event has these days', async () => {
  const page = await openEventForm(site)
  const sent = draftsSentBy(page)
  await page.getByLabel('Event Name').fill('Garden wedding')
  await page.getByLabel('Assign to User').selectOption(site.organiser.user.email)

  await dateField(page, 'Start Date').focus()
  await page.keyboard.press('Enter')
  await whenFocusIsOn(page, 'Today, Thursday')
  await whenFocusIsOn(page, '10 June 2027')
  await page.keyboard.press('ArrowDown')
  await whenFocusIsOn(page, '17 June 2027')
  await page.keyboard.press('ArrowRight')
  await whenFocusIsOn(page, '18 June 2027')
  await page.keyboard.press('Enter')
  await whenFocusIsOn(page, 'Start Date, 18 Jun 2027')

  await dateField(page, 'End Date').focus()
  await page.keyboard.press('Space')
  await whenFocusIsOn(page, '18 June 2027')
  await page.keyboard.press('PageDown')
  await whenFocusIsOn(page, '18 July 2027')
  await page.keyboard.press('ArrowUp')
  await whenFocusIsOn(page, '11 July 2027')
  await page.keyboard.press('Escape')
  await whenFocusIsOn(page, 'End Date, Pick a date')
  await page.keyboard.press('Enter')
  await whenFocusIsOn(page, '18 June 2027')
  // An event cannot end before it begins.
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowDown')
  await whenFocusIsOn(page, '25 June 2027')
  await page.keyboard.press('Enter')
  await whenFocusIsOn(page, 'End Date, 25 Jun 2027')

  await submit(page)
  await toast(page, 'Event created successfully').waitFor()
  expect(sent).toMatchObject([{ startDate: '2027-06-18', endDate: '2027-06-25' }])
})

test.each(requiredFields)(
  'When %s is missing, then the form says so, sends nothing, and goes there',
  async (missing) => {
    const page = await openEventForm(site)
    const sent = draftsSentBy(page)
    await fillEventForm(page, site, missing)
    const filled = await readEventForm(page)
    await submit(page)
    await toast(page, MISSING).waitFor()
    const invalid = page.locator('[aria-invalid=true]')
    expect(await invalid.count()).toBe(1)
    expect(
      await page.getByLabel(missing).evaluate((field) => field.matches('[aria-invalid=true]:focus')),
    ).toBe(true)
    expect(await readEventForm(page)).toEqual(filled)
    expect(sent).toEqual([])
    await page.context().close()
  },
)

test('When a name is nothing but spaces, then it is missing', async () => {
  const page = await openEventForm(site)
  const sent = draftsSentBy(page)
  await fillEventForm(page, site)
  await page.getByLabel('Event Name').fill('   ')
  await submit(page)
  await toast(page, MISSING).waitFor()
  expect(sent).toEqual([])
})

test('When the server refuses an event, then its message shows and the form is kept', async () => {
  const page = await openEventForm(site)
  await fillEventForm(page, site)
  await page.getByLabel('Event Name').fill('x'.repeat(201))
  const filled = await readEventForm(page)
  await submit(page)
  await toast(page, 'The event name is longer than 200 characters.').waitFor()
  await toast(page, 'Error').waitFor()
  expect(await readEventForm(page)).toEqual(filled)
})

test('When the connection is cut while an event is made, then the form is kept, and can be sent again', async () => {
  const page = await openEventForm(site)
  await fillEventForm(page, site)
  const filled = await readEventForm(page)
  const cut = Promise.withResolvers<undefined>()
  await page.route('**/api/events?*', async (route) => {
    await cut.promise
    await route.abort('connectionfailed')
  })
  await submit(page)
  const busy = page.getByRole('button', { name: 'Creating...' })
  await busy.waitFor()
  expect(await busy.isDisabled()).toBe(true)
  cut.resolve(undefined)
  await toast(page, 'The connection was lost. Please try again.').waitFor()
  expect(await readEventForm(page)).toEqual(filled)

  await page.unroute('**/api/events?*')
  await submit(page)
  await toast(page, 'Event created successfully').waitFor()
  expect(await readEventForm(page)).toEqual(empty)
})

test('When the users cannot be had, then the form says so, and Retry brings them', async () => {
  const page = await site.visit({ as: site.admin })
  await page.route('**/api/users*', (route) => route.abort())
  await page.goto('/events/create')
  await toast(page, 'Failed to fetch users.').waitFor()
  await page.unroute('**/api/users*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByLabel('Assign to User').selectOption(site.organiser.user.email)
})
