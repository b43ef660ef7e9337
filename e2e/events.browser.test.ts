import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Event } from '@confetti/contracts'
import { newEvent } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { startSite, type Site } from './site.ts'
import { toast } from './toast.ts'
import { writtenDay } from './written-day.ts'

let site: Site
let upcoming: Event
let past: Event
beforeAll(async () => {
  site = await startSite()
  upcoming = await newEvent(site.api, site.admin, site.organiser, { startsIn: 3, endsIn: 5 })
  past = await newEvent(site.api, site.admin, site.organiser, { startsIn: -9, endsIn: -8 })
}, 120_000)
afterAll(() => site.stop())

/** The paths of the API that a page has asked, so far. */
const asked = (page: Page, pattern: RegExp): string[] => {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pattern.test(pathname)) paths.push(`${request.method()} ${pathname}`)
  })
  return paths
}
const card = (page: Page, event: Event) =>
  page
    .getByRole('tabpanel')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: event.name }) })

test('When the tabs of Events are gone through, then each is asked for when it is first chosen, and never again', async () => {
  const page = await site.visit({ as: site.admin })
  const calls = asked(page, /^\/api\/events\//)
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await page.goto('/events')
  await card(page, site.event).waitFor()
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Active', 'Upcoming', 'Past'])
  expect(await tab('Active').getAttribute('aria-selected')).toBe('true')
  expect(calls).toEqual(['GET /api/events/active'])

  await tab('Upcoming').click()
  await card(page, upcoming).waitFor()
  expect(calls).toEqual(['GET /api/events/active', 'GET /api/events/upcoming'])
  await tab('Past').click()
  await card(page, past).waitFor()
  await tab('Active').click()
  await card(page, site.event).waitFor()
  await tab('Upcoming').click()
  await card(page, upcoming).getByRole('link', { name: 'View Details' }).click()
  await page.getByRole('heading', { name: upcoming.name, level: 1 }).waitFor()
  expect(calls.filter((call) => !call.includes(upcoming._id))).toEqual(
    ['active', 'upcoming', 'past'].map((phase) => `GET /api/events/${phase}`),
  )
})

test('When an event is listed, then its card says what it is, when, and whose, and leads to its details', async () => {
  const page = await site.visit({ as: site.admin })
  await page.goto('/events?tab=upcoming')
  await card(page, upcoming).waitFor()
  const text = await card(page, upcoming).innerText()
  expect(text).toContain(upcoming.name)
  expect(text).toContain(upcoming.description)
  expect(text).toContain(site.organiser.user.email)
  expect(text).toContain(
    `${await writtenDay(page, upcoming.startDate)} – ${await writtenDay(page, upcoming.endDate)}`,
  )
  expect(await page.getByText(site.event.name).count()).toBe(0)
  const details = card(page, upcoming).getByRole('link', { name: 'View Details' })
  expect(await details.getAttribute('href')).toBe(`/events/${upcoming._id}`)
})

test.each([
  [320, 1],
  [800, 2],
  [1280, 3],
])('When the window is %i px wide, then the events stand in %i columns', async (width, columns) => {
  const others = await Promise.all([0, 1].map(() => newEvent(site.api, site.admin, site.organiser)))
  const page = await site.visit({ as: site.admin, viewport: { width, height: 900 } })
  await page.goto('/events')
  for (const event of [site.event, ...others]) await card(page, event).waitFor()
  const lefts = await page
    .getByRole('tabpanel')
    .getByRole('listitem')
    .evaluateAll((cards) => cards.map((each) => Math.round(each.getBoundingClientRect().left)))
  expect(new Set(lefts).size).toBe(columns)
  await page.context().close()
})

test('When the events cannot be had, then the server’s words show, and Retry brings them', async () => {
  const page = await site.visit({ as: site.admin })
  await page.route('**/api/events/active*', (route) =>
    route.fulfill({ status: 503, json: { message: 'The events are being moved.', code: 'busy' } }),
  )
  await page.goto('/events')
  await toast(page, 'The events are being moved.').waitFor()
  await toast(page, 'Error').waitFor()
  await page.unroute('**/api/events/active*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await card(page, site.event).waitFor()
})
