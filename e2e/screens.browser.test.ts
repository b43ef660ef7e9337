import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomEmail, sample, samplePath } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { whenShown } from './screen.ts'
import { screens } from './screens.ts'
import { accountOf, PHOTO, startUsedSite, type UsedSite, type Visitor } from './used-site.ts'

let used: UsedSite
beforeAll(async () => {
  used = await startUsedSite()
}, 180_000)
afterAll(() => used.site.stop())

const visitAs = (visitor: Visitor) => {
  const account = accountOf(used, visitor)
  return used.site.visit(account && { as: account })
}

test.each(screens)(
  'When the $name is opened, then it says all that it should, in its landmarks, under its title',
  async (screen) => {
    const page = await visitAs(screen.as)
    const broken: string[] = []
    page.on('pageerror', ({ message }) => broken.push(message))
    await page.goto(screen.path(used))
    await whenShown(page, screen, used)
    expect(await page.title()).toBe(`${screen.title} · Confetti`)
    const counted = async (role: Parameters<typeof page.getByRole>[0]) => [
      role,
      await page.getByRole(role).count(),
    ]
    const landmarks = await Promise.all(
      (['banner', 'navigation', 'main', 'contentinfo'] as const).map(counted),
    )
    expect(landmarks.filter(([, count]) => count !== 0)).toEqual(screen.landmarks.map((role) => [role, 1]))
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(broken).toEqual([])
    await page.context().close()
  },
)

/** Holds back what a page asks for until `release` is called. */
const holdBack = async (page: Page, what: string | RegExp): Promise<{ release: () => void }> => {
  const held = Promise.withResolvers<undefined>()
  await page.route(what, async (route) => {
    await held.promise
    await route.continue()
  })
  return { release: () => held.resolve(undefined) }
}

test('When the code of the page has not come yet, then the page says that it loads', async () => {
  const page = await visitAs('admin')
  const code = await holdBack(page, /\.js$/)
  await page.goto('/welcome', { waitUntil: 'commit' })
  await page.getByText('Loading...').waitFor()
  code.release()
  await page.getByRole('heading', { name: 'Welcome to Confetti!' }).waitFor()
})

test.each([
  ['/login', 'Sign In'],
  ['/register', 'Create Account'],
])('When %s waits for its answer, then its button says so', async (path, action) => {
  const page = await visitAs('guest')
  const answer = await holdBack(page, '**/api/auth/*')
  await page.goto(path)
  await page.getByLabel('Email').fill(randomEmail())
  await page.getByLabel('Password', { exact: true }).fill('a password')
  await page.getByRole('button', { name: action }).click()
  await page.getByRole('button', { name: 'Loading...' }).waitFor()
  answer.release()
  await page
    .getByText(path === '/login' ? 'Invalid email or password' : 'Account created successfully')
    .waitFor()
})

test('When the uploads of an event are on their way, then the page says so', async () => {
  const page = await visitAs('admin')
  const answer = await holdBack(page, '**/api/admin/uploads/**')
  await page.goto(`/admin/event-uploads/${used.site.event._id}`)
  await page.getByText('Loading uploads...', { exact: true }).waitFor()
  answer.release()
  await page.getByText('Loading uploads...', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('img', { name: PHOTO }).waitFor()
})

test.each([
  ['/contacts', 'admin', '**/api/contact-admin*'],
  ['/events', 'admin', '**/api/events/active*'],
  ['/myevents', 'organiser', '**/api/myevents*'],
] as const)('When the list of %s is on its way, then its place is kept', async (path, visitor, call) => {
  const page = await visitAs(visitor)
  const answer = await holdBack(page, call)
  await page.goto(path)
  const waiting = page.getByRole('main').locator('[aria-busy=true]')
  await waiting.waitFor()
  expect((await waiting.boundingBox())?.height).toBeGreaterThan(200)
  answer.release()
  await waiting.waitFor({ state: 'detached' })
})

test('When a guest chooses files, then they are listed by number with their sizes in MB', async () => {
  const page = await visitAs('guest')
  await page.goto(`/upload?eventId=${used.site.event._id}`)
  const names = ['camera-gps.jpg', 'iphone-13.heic', 'video.mp4'] as const
  await page.locator('input[type=file]').setInputFiles(names.map(samplePath))
  const rows = page.getByRole('main').getByRole('listitem')
  await rows.nth(2).waitFor()
  const sizes = await Promise.all(names.map(async (name) => (await sample(name)).length))
  expect((await rows.allInnerTexts()).map((row) => row.split('\n').filter(Boolean))).toEqual(
    names.map((name, index) => [
      String(index + 1),
      name,
      `${((sizes[index] ?? 0) / 1_048_576).toFixed(2)} MB`,
    ]),
  )
})
