import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Event } from '@confetti/contracts'
import { newEvent } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { formatDate } from './format-date.ts'
import { joinSite, type Site } from './site.ts'
import { toast } from './toast.ts'

let site: Site
let upcoming: Event
let past: Event
beforeAll(async () => {
  site = await joinSite()
  upcoming = await newEvent(site.api, site.admin, site.organiser, { startsIn: 3, endsIn: 5 })
  past = await newEvent(site.api, site.admin, site.organiser, { startsIn: -9, endsIn: -8 })
})
afterAll(() => site.stop())

/** Records the requests to paths that match `pattern`. Returns an array that grows with each request. */
const recordRequests = (page: Page, pattern: RegExp): string[] => {
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pattern.test(pathname)) requests.push(`${request.method()} ${pathname}`)
  })
  return requests
}
const eventCard = (page: Page, event: Event) =>
  page
    .getByRole('tabpanel')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: event.name }) })

test('When an admin switches between the tabs of Events, then each list is loaded once, when its tab is first selected', async () => {
  const page = await site.newPage({ account: site.admin })
  const requests = recordRequests(page, /^\/api\/events\//)
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await page.goto('/events')
  await eventCard(page, site.event).waitFor()
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Active', 'Upcoming', 'Past'])
  expect(await tab('Active').getAttribute('aria-selected')).toBe('true')
  expect(requests).toEqual(['GET /api/events/active'])

  await tab('Upcoming').click()
  await eventCard(page, upcoming).waitFor()
  expect(requests).toEqual(['GET /api/events/active', 'GET /api/events/upcoming'])
  await tab('Past').click()
  await eventCard(page, past).waitFor()
  await tab('Active').click()
  await eventCard(page, site.event).waitFor()
  await tab('Upcoming').click()
  await eventCard(page, upcoming).getByRole('link', { name: 'View Details' }).click()
  await page.getByRole('heading', { name: upcoming.name, level: 1 }).waitFor()
  expect(requests.filter((request) => !request.includes(upcoming._id))).toEqual(
    ['active', 'upcoming', 'past'].map((phase) => `GET /api/events/${phase}`),
  )
})

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

test.each([
  [320, 1],
  [800, 2],
  [1280, 3],
])('When the window is %i px wide, then the events are shown in %i columns', async (width, columns) => {
  const others = await Promise.all([0, 1].map(() => newEvent(site.api, site.admin, site.organiser)))
  const page = await site.newPage({ account: site.admin, viewport: { width, height: 900 } })
  await page.goto('/events')
  for (const event of [site.event, ...others]) await eventCard(page, event).waitFor()
  const leftEdges = await page
    .getByRole('tabpanel')
    .getByRole('listitem')
    .evaluateAll((cards) => cards.map((each) => Math.round(each.getBoundingClientRect().left)))
  expect(new Set(leftEdges).size).toBe(columns)
  await page.context().close()
})

test('When loading the events fails, then a toast shows the error of the server, and Retry loads them', async () => {
  const page = await site.newPage({ account: site.admin })
  await page.route('**/api/events/active*', (route) =>
    route.fulfill({ status: 503, json: { message: 'The events are being moved.', code: 'busy' } }),
  )
  await page.goto('/events')
  await toast(page, 'The events are being moved.').waitFor()
  await toast(page, 'Error').waitFor()
  await page.unroute('**/api/events/active*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await eventCard(page, site.event).waitFor()
})
