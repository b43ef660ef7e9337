import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { startSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
}, 120_000)
afterAll(() => site.stop())

const themeOf = (page: Page) =>
  page.evaluate(() => ({
    classes: document.documentElement.className,
    saved: localStorage.getItem('ui-theme'),
  }))
const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ })

/** Says something in a toast: a sign-in that the server refuses. */
const failToSignIn = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign In' }).click()
}

test('When the theme is toggled, then it is kept over a reload and shown before the code comes', async () => {
  const page = await site.visit()
  await page.goto('/')
  expect(await themeOf(page)).toEqual({ classes: 'light', saved: null })
  await page.getByRole('button', { name: 'Use the dark theme' }).click()
  expect(await themeOf(page)).toEqual({ classes: 'dark', saved: 'dark' })

  await page.route('**/*.js', (route) => route.abort())
  await page.reload()
  expect((await themeOf(page)).classes).toBe('dark')
})

test.each(['light', 'dark'] as const)(
  'When the theme follows the device and that is %s, then so is the page',
  async (colorScheme) => {
    const page = await site.visit({ colorScheme, theme: 'system' })
    await page.goto('/login')
    await page.getByText('Welcome back').waitFor()
    expect((await themeOf(page)).classes).toBe(colorScheme)
    const other = colorScheme === 'light' ? 'dark' : 'light'
    await page.emulateMedia({ colorScheme: other })
    await page.waitForFunction((name) => document.documentElement.className === name, other)
  },
)

test('When nothing is saved, then the page is light also on a dark device', async () => {
  const page = await site.visit({ colorScheme: 'dark' })
  await page.goto('/login')
  await page.getByText('Welcome back').waitFor()
  expect((await themeOf(page)).classes).toBe('light')
})

test('When a second toast comes, then it takes the place of the first', async () => {
  const page = await site.visit()
  await page.goto('/login')
  await failToSignIn(page, site.organiser.user.email)
  await toasts(page).getByText('Invalid email or password').waitFor()
  await page.route('**/api/auth/login*', (route) => route.abort())
  await failToSignIn(page, site.organiser.user.email)
  await toasts(page).getByText('The connection was lost').waitFor()
  expect(await toasts(page).getByText('Error', { exact: true }).count()).toBe(1)
  expect(await toasts(page).getByText('Invalid email or password').count()).toBe(0)
})

test('When five seconds have passed, then a toast is gone', async () => {
  const page = await site.visit()
  await page.clock.install()
  await page.goto('/login')
  await failToSignIn(page, site.organiser.user.email)
  const toast = toasts(page).getByText('Invalid email or password')
  await toast.waitFor()
  await page.mouse.move(0, 0)
  await page.clock.runFor(4_500)
  expect(await toast.count()).toBe(1)
  await page.clock.runFor(1_000)
  await toast.waitFor({ state: 'detached' })
})

test('When a toast is swiped 50 pixels to the right, then it goes; less brings it back', async () => {
  const page = await site.visit()
  await page.goto('/login')
  await failToSignIn(page, site.organiser.user.email)
  const toast = toasts(page).getByText('Invalid email or password')
  await toast.waitFor()
  const swipe = async (pixels: number): Promise<void> => {
    const box = await toast.boundingBox()
    if (!box) throw new Error('The toast is not there.')
    await page.mouse.move(box.x + 5, box.y + 5)
    await page.mouse.down()
    await page.mouse.move(box.x + 5 + pixels, box.y + 5, { steps: 5 })
    await page.mouse.up()
  }
  await swipe(-80)
  await swipe(40)
  expect(await toast.count()).toBe(1)
  await swipe(60)
  await toast.waitFor({ state: 'detached' })
})

test('When F8 is pressed, then the keyboard is where the toasts are', async () => {
  const page = await site.visit()
  await page.goto('/login')
  await failToSignIn(page, site.organiser.user.email)
  await toasts(page).getByText('Invalid email or password').waitFor()
  await page.keyboard.press('F8')
  expect(await toasts(page).evaluate((region) => region === document.activeElement)).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await toasts(page).getByText('Invalid email or password').waitFor({ state: 'detached' })
})

test('When a request is under way, then the overlay says so until it has ended', async () => {
  const page = await site.visit({ as: site.admin })
  const answer = Promise.withResolvers<undefined>()
  await page.route('**/api/contact-admin*', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.goto('/contacts')
  const overlay = page.getByRole('status').getByText('Loading...', { exact: true })
  await overlay.waitFor()
  answer.resolve(undefined)
  await overlay.waitFor({ state: 'detached' })
  await page.getByText('No contact messages found.').waitFor()
})

test('When an address leads nowhere, then a page says so, for guests and for members', async () => {
  const guest = await site.visit()
  await guest.goto('/no-such-page')
  await guest.getByRole('heading', { name: 'There is no such page.' }).waitFor()
  await guest.getByRole('link', { name: 'Go to Home' }).click()
  await guest.getByRole('heading', { name: 'QR Code-Based Image Upload System' }).waitFor()

  const admin = await site.visit({ as: site.admin })
  await admin.goto('/events/created/by/nobody')
  await admin.getByRole('heading', { name: 'There is no such page.' }).waitFor()
  await admin.getByRole('navigation', { name: 'Main' }).waitFor()
})

test('When the screen is narrow, then the sidebar is a drawer that gives the keyboard back', async () => {
  const page = await site.visit({ as: site.admin, viewport: { width: 375, height: 740 } })
  await page.goto('/welcome')
  await page.getByRole('button', { name: 'Menu' }).click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await drawer.getByRole('link', { name: 'Contacts' }).waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Menu')

  await page.keyboard.press('Enter')
  await drawer.getByRole('link', { name: 'Contacts' }).click()
  await page.waitForURL('**/contacts')
  await drawer.waitFor({ state: 'detached' })
})

test('When a page is shown, then the tab has its title and the mark', async () => {
  const page = await site.visit({ as: site.organiser })
  await page.goto('/welcome')
  await page.waitForFunction(() => document.title === 'Welcome · Confetti')
  await page.getByRole('link', { name: 'Contact Admin' }).click()
  await page.waitForFunction(
    () => document.title.endsWith(' · Confetti') && !document.title.startsWith('Welcome'),
  )
  const icon = await page.locator('link[rel=icon]').getAttribute('href')
  expect((await page.request.get(icon ?? '')).headers()['content-type']).toContain('svg')
})
