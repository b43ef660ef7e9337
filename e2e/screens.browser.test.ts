import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomEmail, readSample, samplePath } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { waitForScreen, waitForTitle } from './screen.ts'
import { screens } from './screens.ts'
import { accountFor, PHOTO, startSeededSite, type Persona, type SeededSite } from './seeded-site.ts'

let seededSite: SeededSite
beforeAll(async () => {
  seededSite = await startSeededSite()
})
afterAll(() => seededSite.site.stop())

const newPageFor = (persona: Persona) => {
  const account = accountFor(seededSite, persona)
  return seededSite.site.newPage(account && { account })
}

test.each(screens)(
  'When the $name is opened, then it has all its elements, its landmarks and its title',
  async (screen) => {
    const page = await newPageFor(screen.persona)
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.goto(screen.path(seededSite))
    await waitForScreen(page, screen, seededSite)
    await waitForTitle(page, screen.title)
    const countRole = async (role: Parameters<typeof page.getByRole>[0]) => [
      role,
      await page.getByRole(role).count(),
    ]
    const landmarks = await Promise.all(
      (['banner', 'navigation', 'main', 'contentinfo'] as const).map(countRole),
    )
    expect(landmarks.filter(([, count]) => count !== 0)).toEqual(screen.landmarks.map((role) => [role, 1]))
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(errors).toEqual([])
    await page.context().close()
  },
)

/** Blocks the requests of a page that match `url` until `release` is called. */
const blockRequests = async (page: Page, url: string | RegExp): Promise<{ release: () => void }> => {
  const released = Promise.withResolvers<undefined>()
  await page.route(url, async (route) => {
    await released.promise
    await route.continue()
  })
  return { release: () => released.resolve(undefined) }
}

test('When the code of a page is loading, then a loading message is shown', async () => {
  const page = await newPageFor('admin')
  const code = await blockRequests(page, /\.js$/)
  await page.goto('/welcome', { waitUntil: 'commit' })
  await page.getByText('Loading...').waitFor()
  code.release()
  await page.getByRole('heading', { name: 'Welcome to Confetti!' }).waitFor()
})

test.each([
  ['/login', 'Sign In'],
  ['/register', 'Create Account'],
])('When %s waits for a response, then its button shows a loading message', async (path, action) => {
  const page = await newPageFor('guest')
  const response = await blockRequests(page, '**/api/auth/*')
  await page.goto(path)
  await page.getByLabel('Email').fill(randomEmail())
  await page.getByLabel('Password', { exact: true }).fill('a password')
  await page.getByRole('button', { name: action }).click()
  await page.getByRole('button', { name: 'Loading...' }).waitFor()
  response.release()
  await page
    .getByText(path === '/login' ? 'Invalid email or password' : 'Account created successfully')
    .waitFor()
})

test('When the uploads of an event are loading, then a loading message is shown', async () => {
  const page = await newPageFor('admin')
  const response = await blockRequests(page, '**/api/admin/uploads/**')
  await page.goto(`/admin/event-uploads/${seededSite.site.event._id}`)
  await page.getByText('Loading uploads...', { exact: true }).waitFor()
  response.release()
  await page.getByText('Loading uploads...', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('img', { name: PHOTO }).waitFor()
})

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

test('When a guest selects files, then they are listed with number, name and size in MB', async () => {
  const page = await newPageFor('guest')
  await page.goto(`/upload?eventId=${seededSite.site.event._id}`)
  const names = ['camera-gps.jpg', 'iphone-13.heic', 'video.mp4'] as const
  await page.locator('input[type=file]').setInputFiles(names.map(samplePath))
  const rows = page.getByRole('main').getByRole('listitem')
  await rows.nth(2).waitFor()
  const sizes = await Promise.all(names.map(async (name) => (await readSample(name)).length))
  expect((await rows.allInnerTexts()).map((row) => row.split('\n').filter(Boolean))).toEqual(
    names.map((name, index) => [
      String(index + 1),
      name,
      `${((sizes[index] ?? 0) / 1_048_576).toFixed(2)} MB`,
    ]),
  )
})
