import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { testScreenStates } from './screen-state-tests.ts'
import { testScreens } from './screen-tests.ts'
import { accountFor, startSeededSite, type Persona, type SeededSite } from './seeded-site.ts'

let seededSite: SeededSite
beforeAll(async () => {
  seededSite = await startSeededSite()
})
afterAll(() => seededSite.site.stop())

const newPageFor = (persona: Persona) => {
  const account = accountFor(seededSite, persona)
  return seededSite.site.newPage(account && { account })
}

testScreens(() => seededSite, 'short')
testScreenStates(() => seededSite, 'short')

/** Blocks the requests of a page that match `url` until `release` is called. */
const blockRequests = async (page: Page, url: string | RegExp): Promise<{ release: () => void }> => {
  const released = Promise.withResolvers<undefined>()
  await page.route(url, async (route) => {
    await released.promise
    await route.continue()
  })
  return { release: () => released.resolve(undefined) }
}

test.each([
  ['/contacts', 'admin', '**/api/contact-admin*'],
  ['/events', 'admin', '**/api/events/active*'],
  ['/myevents', 'organiser', '**/api/myevents*'],
] as const)('When the list of %s is loading, then a placeholder is shown', async (path, persona, apiUrl) => {
  const page = await newPageFor(persona)
  const response = await blockRequests(page, apiUrl)
  await page.goto(path)
  const placeholder = page.getByRole('main').locator('[aria-busy=true]')
  await placeholder.waitFor()
  expect((await placeholder.boundingBox())?.height).toBeGreaterThan(200)
  response.release()
  await placeholder.waitFor({ state: 'detached' })
})
