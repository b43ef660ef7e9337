import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { getEvent, type Event } from '@confetti/contracts'
import { call, eventually, newEvent } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { formatDate } from './format-date.ts'
import { joinSite, type Site } from './site.ts'
import { toast } from './toast.ts'

let site: Site
let upcoming: Event
beforeAll(async () => {
  site = await joinSite()
  upcoming = await newEvent(site.api, site.admin, site.organiser, { startsIn: 3, endsIn: 5 })
})
afterAll(() => site.stop())

const eventCard = (page: Page, event: Event) =>
  page
    .getByRole('tabpanel')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: event.name }) })

test('When an event is listed, then its card shows name, description, dates and organiser, and links to its details', async () => {
  const page = await site.newPage({ account: site.admin })
  await page.goto('/events?tab=upcoming')
  await eventCard(page, upcoming).waitFor()
  const text = await eventCard(page, upcoming).innerText()
  expect(text).toContain(upcoming.name)
  expect(text).toContain(upcoming.description)
  expect(text).toContain(site.organiser.user.email)
  expect(text).toContain(
    `${await formatDate(page, upcoming.startDate)} – ${await formatDate(page, upcoming.endDate)}`,
  )
  expect(await page.getByText(site.event.name).count()).toBe(0)
  const details = eventCard(page, upcoming).getByRole('link', { name: 'View Details' })
  expect(await details.getAttribute('href')).toBe(`/events/${upcoming._id}`)
})

test('When the window gets wider, then the events are shown in more columns', async () => {
  const others = await Promise.all([0, 1].map(() => newEvent(site.api, site.admin, site.organiser)))
  const page = await site.newPage({ account: site.admin })
  await page.goto('/events')
  for (const event of [site.event, ...others]) await eventCard(page, event).waitFor()
  const countColumns = (): Promise<number> =>
    page
      .getByRole('tabpanel')
      .getByRole('listitem')
      .evaluateAll(
        (cards) => new Set(cards.map((each) => Math.round(each.getBoundingClientRect().left))).size,
      )
  for (const [width, columns] of [
    [320, 1],
    [800, 2],
    [1280, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await eventually(async () => (await countColumns()) === columns, `${columns} columns at ${width} px`)
  }
})

test('When an admin picks dates in another time zone, then the event has these dates and this time zone', async () => {
  const page = await site.newPage({ account: site.admin, timezoneId: 'Pacific/Auckland' })
  await page.clock.setFixedTime('2027-06-11T05:00:00Z')
  await page.goto('/events/create')
  const draft = {
    name: `Wedding ${randomBytes(4).toString('hex')}`,
    description: 'Dinner in the barn.\nBring a coat.',
  }
  await page.getByLabel('Event Name').fill(draft.name)
  await page.getByLabel('Description').fill(draft.description)
  await page.getByLabel('Assign to User').selectOption(site.organiser.user.email)

  await page.getByRole('button', { name: /^Start Date,/ }).click()
  const calendar = page.getByRole('dialog', { name: 'Start Date' })
  await calendar.getByRole('grid', { name: 'June 2027' }).waitFor()
  await calendar.getByRole('button', { name: /next month/i }).click()
  await calendar.getByRole('grid', { name: 'July 2027' }).waitFor()
  await calendar.getByRole('button', { name: /\b31 July 2027/ }).click()
  await calendar.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^End Date,/ }).click()
  await page
    .getByRole('dialog', { name: 'End Date' })
    .getByRole('button', { name: /\b1 August 2027/ })
    .click()

  const created = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Create Event' }).click()
  await toast(page, 'Event created successfully').waitFor()
  const { event } = (await (await created).json()) as { event: Event }
  const stored = await call(site.api, getEvent, { token: site.admin.token, params: { eventId: event._id } })
  expect(stored.body).toMatchObject({
    ...draft,
    timeZone: 'Pacific/Auckland',
    startDate: '2027-07-31',
    endDate: '2027-08-01',
    eventFor: { email: site.organiser.user.email },
  })

  await page.getByRole('link', { name: 'See its QR code' }).click()
  await page.getByRole('heading', { name: draft.name, level: 1 }).waitFor()
})
