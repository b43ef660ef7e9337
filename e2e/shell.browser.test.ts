import { createWall } from '@confetti/contracts'
import { call, newEvent, uniquePhoto } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { joinSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

const readTheme = (page: Page) =>
  page.evaluate(() => ({
    classes: document.documentElement.className,
    saved: localStorage.getItem('ui-theme'),
  }))

test('When the theme is toggled, then it is saved and applied before the code has loaded', async () => {
  const page = await site.newPage()
  await page.goto('/')
  expect(await readTheme(page)).toEqual({ classes: 'light', saved: null })
  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  expect(await readTheme(page)).toEqual({ classes: 'dark', saved: 'dark' })

  await page.route('**/*.js', (route) => route.abort())
  await page.reload()
  expect((await readTheme(page)).classes).toBe('dark')
})

test('When the device is dark, then guests’ pages are, also before the code has loaded, and others are light', async () => {
  const page = await site.newPage({ colorScheme: 'dark' })
  const readClasses = async (): Promise<string> => (await readTheme(page)).classes
  await page.goto('/')
  expect(await readClasses()).toBe('light')
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Which event is it?' }).waitFor()
  expect(await readClasses()).toBe('dark')
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await page.getByRole('button', { name: 'Switch to dark theme' }).waitFor()
  expect(await readTheme(page)).toEqual({ classes: 'light', saved: null })
  await page.goBack()
  await page.getByRole('heading', { name: 'Which event is it?' }).waitFor()
  expect(await readClasses()).toBe('dark')

  await page.route('**/*.js', (route) => route.abort())
  for (const path of ['/upload', '/thank-you', '/gallery', '/mine', '/privacy', '/e/7F3K-9QXM']) {
    await page.goto(path)
    expect(await readClasses()).toBe('dark')
  }
})

test('When the code of a page has not loaded, then its title is the name of the product', async () => {
  const page = await site.newPage()
  await page.route('**/*.js', (route) => route.abort())
  await page.goto('/')
  expect(await page.title()).toBe('Confetti')
})

test.each(['main', 'shared'])(
  'When the file %s cannot be loaded, then the page offers Try again, which opens it',
  async (name) => {
    const page = await site.newPage({ locale: 'de-DE' })
    const files = new RegExp(`/${name}\\.\\w+\\.js$`)
    await page.route(files, (route) => route.abort())
    await page.goto('/login')
    await page.getByText('Die Seite konnte nicht geladen werden').waitFor()
    expect(await page.getByText('Loading...').count()).toBe(0)
    await page.unroute(files)
    await page.getByRole('button', { name: 'Nochmal versuchen' }).click()
    await page.getByRole('button', { name: 'Anmelden' }).waitFor()
  },
)

test('When the network answers a file with its sign-in page, then the page offers Try again', async () => {
  const page = await site.newPage()
  await page.route(/\/main\.\w+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '<!doctype html><title>Wi-Fi</title>' }),
  )
  await page.goto('/login')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
})

test('When a file takes too long, then the page offers Try again, and is shown when the file has arrived', async () => {
  const page = await site.newPage()
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/shared\.\w+\.js$/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/login', { waitUntil: 'commit' })
  const retry = page.getByRole('button', { name: 'Try again' })
  await page.getByText('Loading...').waitFor()
  await page.clock.runFor(10_000)
  expect(await retry.count()).toBe(0)
  await page.clock.runFor(5_000)
  await retry.waitFor()
  await page.clock.resume()
  release()
  await page.getByText('Welcome back').waitFor()
  expect(await retry.count()).toBe(0)
})

test('When the page has started slowly, then no time limit ends', async () => {
  const page = await site.newPage()
  await page.clock.install()
  await page.goto('/login')
  await page.getByText('Welcome back').waitFor()
  await page.clock.runFor(60_000)
  await page.getByText('Welcome back').waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

test.each(['HTMLDialogElement', 'String.prototype.replaceAll'])(
  'When the browser lacks %s, then the page says that it is too old, and what to do',
  async (name) => {
    const page = await site.newPage({ locale: 'fr-FR' })
    await page.addInitScript(`delete globalThis.${name}`)
    await page.goto('/login')
    // Also when the code has been loaded.
    await page.waitForLoadState('networkidle')
    expect((await page.locator('body').innerText()).split(/\n+/)).toEqual([
      'Ce navigateur est trop ancien',
      'Mettez-le à jour ou utilisez un autre appareil.',
    ])
  },
)

test.each([
  ['Chromium 87', ['throwIfAborted', 'reason']],
  ['Chromium 99', ['throwIfAborted']],
])(
  'When a browser lacks what %s does, then guests can send photos and see the live wall',
  async (_, lacking) => {
    const { _id: eventId } = await newEvent(site.api, site.admin, site.organiser)
    const { body: wall } = await call(site.api, createWall, {
      token: site.organiser.token,
      params: { eventId },
    })
    const page = await site.newPage({ locale: 'en-GB' })
    await page.addInitScript((names) => {
      for (const name of names) Reflect.deleteProperty(AbortSignal.prototype, name)
      if (!names.includes('reason')) return
      for (const each of [Array, String]) Reflect.deleteProperty(each.prototype, 'at')
      const { prototype } = AbortController
      const abort = Reflect.get(prototype, 'abort') as (this: AbortController) => void
      prototype.abort = function () {
        abort.call(this)
      }
    }, lacking)
    await page.goto(`/upload?eventId=${eventId}`)
    await page.getByLabel('Your Name (Photo Credit)').fill('Aunt Marta')
    await page.setInputFiles('input[type=file]', {
      name: 'cake.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from(await uniquePhoto()),
    })
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
    await page.goto(wall.url as string)
    await page.locator('figcaption').filter({ hasText: 'Aunt Marta' }).waitFor()
  },
)

test('When a request is pending, then an overlay shows a loading message until it has finished', async () => {
  const page = await site.newPage({ account: site.admin })
  const unblocked = Promise.withResolvers<undefined>()
  await page.route('**/api/contact-admin*', async (route) => {
    await unblocked.promise
    await route.continue()
  })
  await page.goto('/contacts')
  const overlay = page.getByRole('status').getByText('Loading...', { exact: true })
  await overlay.waitFor()
  unblocked.resolve(undefined)
  await overlay.waitFor({ state: 'detached' })
})

test('When the viewport is narrow, then the sidebar is a drawer that restores the focus when it closes', async () => {
  const page = await site.newPage({ account: site.admin, viewport: { width: 375, height: 740 } })
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

test('When a page is shown, then the document has its title and the favicon', async () => {
  const page = await site.newPage({ account: site.organiser })
  await page.goto('/welcome')
  await page.waitForFunction(() => document.title === 'Welcome · Confetti')
  await page.getByRole('link', { name: 'Contact Admin' }).click()
  await page.waitForFunction(
    () => document.title.endsWith(' · Confetti') && !document.title.startsWith('Welcome'),
  )
  const icon = await page.locator('link[rel=icon]').getAttribute('href')
  expect((await page.request.get(icon ?? '')).headers()['content-type']).toContain('svg')
})
