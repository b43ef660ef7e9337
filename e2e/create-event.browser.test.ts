import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { getEvent } from '@confetti/contracts'
import { call } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import {
  dateField,
  fillEventForm,
  openEventForm,
  pickDay,
  readEventForm,
  recordCreateEventRequests,
  requiredFields,
} from './event-form.ts'
import { joinSite, type Site } from './site.ts'
import { toast } from './toast.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

const MISSING_FIELDS = 'Please fill in all required fields including user.'
const emptyForm = ['', '', '', 'Pick a date', 'Pick a date']

const submit = (page: Page): Promise<void> => page.getByRole('button', { name: 'Create Event' }).click()
/** Waits until an element has the focus whose `aria-label` contains `label`. */
const waitForFocusOn = async (page: Page, label: string): Promise<void> => {
  await page.waitForFunction(
    (text) => document.activeElement?.getAttribute('aria-label')?.includes(text),
    label,
  )
}

test('When an admin picks dates with the mouse, then the event has these dates and the form is cleared', async () => {
  const page = await openEventForm(site, { timezoneId: 'Pacific/Auckland' })
  const requests = recordCreateEventRequests(page)
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

  const responsePromise = page.waitForResponse((response) => response.request().method() === 'POST')
  await submit(page)
  await toast(page, 'Event created successfully').waitFor()
  const draft = {
    name,
    description: 'Dinner in the barn.\nBring a coat.',
    startDate: '2027-07-31',
    endDate: '2027-08-01',
  }
  expect(requests).toEqual([{ ...draft, eventFor: site.organiser.user._id }])
  expect(await readEventForm(page)).toEqual(emptyForm)
  const { event } = (await (await responsePromise).json()) as { event: { _id: string } }
  const stored = await call(site.api, getEvent, { token: site.admin.token, params: { eventId: event._id } })
  expect(stored.body).toMatchObject({ ...draft, eventFor: { email: site.organiser.user.email } })

  await page.getByRole('link', { name: 'See its QR code' }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
})

test('When an admin picks dates with the keyboard, then the event has these dates', async () => {
  const page = await openEventForm(site)
  const requests = recordCreateEventRequests(page)
  await page.getByLabel('Event Name').fill('Garden wedding')
  await page.getByLabel('Assign to User').selectOption(site.organiser.user.email)

  await dateField(page, 'Start Date').focus()
  await page.keyboard.press('Enter')
  await waitForFocusOn(page, 'Today, Thursday')
  await waitForFocusOn(page, '10 June 2027')
  await page.keyboard.press('ArrowDown')
  await waitForFocusOn(page, '17 June 2027')
  await page.keyboard.press('ArrowRight')
  await waitForFocusOn(page, '18 June 2027')
  await page.keyboard.press('Enter')
  await waitForFocusOn(page, 'Start Date, 18 Jun 2027')

  await dateField(page, 'End Date').focus()
  await page.keyboard.press('Space')
  await waitForFocusOn(page, '18 June 2027')
  await page.keyboard.press('PageDown')
  await waitForFocusOn(page, '18 July 2027')
  await page.keyboard.press('ArrowUp')
  await waitForFocusOn(page, '11 July 2027')
  await page.keyboard.press('Escape')
  await waitForFocusOn(page, 'End Date, Pick a date')
  await page.keyboard.press('Enter')
  await waitForFocusOn(page, '18 June 2027')
  // An event cannot end before it starts.
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowDown')
  await waitForFocusOn(page, '25 June 2027')
  await page.keyboard.press('Enter')
  await waitForFocusOn(page, 'End Date, 25 Jun 2027')

  await submit(page)
  await toast(page, 'Event created successfully').waitFor()
  expect(requests).toMatchObject([{ startDate: '2027-06-18', endDate: '2027-06-25' }])
})

test.each(requiredFields)(
  'When %s is missing, then a toast reports it, the field gets the focus and nothing is sent',
  async (missing) => {
    const page = await openEventForm(site)
    const requests = recordCreateEventRequests(page)
    await fillEventForm(page, site, missing)
    const before = await readEventForm(page)
    await submit(page)
    await toast(page, MISSING_FIELDS).waitFor()
    const invalid = page.locator('[aria-invalid=true]')
    expect(await invalid.count()).toBe(1)
    expect(
      await page.getByLabel(missing).evaluate((field) => field.matches('[aria-invalid=true]:focus')),
    ).toBe(true)
    expect(await readEventForm(page)).toEqual(before)
    expect(requests).toEqual([])
    await page.context().close()
  },
)

test('When the name consists of spaces only, then it counts as missing', async () => {
  const page = await openEventForm(site)
  const requests = recordCreateEventRequests(page)
  await fillEventForm(page, site)
  await page.getByLabel('Event Name').fill('   ')
  await submit(page)
  await toast(page, MISSING_FIELDS).waitFor()
  expect(requests).toEqual([])
})

test('When the server rejects an event, then a toast shows the error and the form keeps its values', async () => {
  const page = await openEventForm(site)
  await fillEventForm(page, site)
  await page.getByLabel('Event Name').fill('x'.repeat(201))
  const before = await readEventForm(page)
  await submit(page)
  await toast(page, 'The event name is longer than 200 characters.').waitFor()
  await toast(page, 'Error').waitFor()
  expect(await readEventForm(page)).toEqual(before)
})

test('When the connection is lost while an event is created, then the form keeps its values and can be submitted again', async () => {
  const page = await openEventForm(site)
  await fillEventForm(page, site)
  const before = await readEventForm(page)
  const connectionLost = Promise.withResolvers<undefined>()
  await page.route('**/api/events?*', async (route) => {
    await connectionLost.promise
    await route.abort('connectionfailed')
  })
  await submit(page)
  const pendingButton = page.getByRole('button', { name: 'Creating...' })
  await pendingButton.waitFor()
  expect(await pendingButton.isDisabled()).toBe(true)
  connectionLost.resolve(undefined)
  await toast(page, 'The connection was lost. Please try again.').waitFor()
  expect(await readEventForm(page)).toEqual(before)

  await page.unroute('**/api/events?*')
  await submit(page)
  await toast(page, 'Event created successfully').waitFor()
  expect(await readEventForm(page)).toEqual(emptyForm)
})

test('When loading the users fails, then a toast reports it, and Retry loads them', async () => {
  const page = await site.newPage({ account: site.admin })
  await page.route('**/api/users*', (route) => route.abort())
  await page.goto('/events/create')
  await toast(page, 'Failed to fetch users.').waitFor()
  await page.unroute('**/api/users*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByLabel('Assign to User').selectOption(site.organiser.user.email)
})
