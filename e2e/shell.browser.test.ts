import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import publicPackage from '../frontends/public/package.json' with { type: 'json' }
import shellPackage from '../frontends/shell/package.json' with { type: 'json' }
import { startSite, type OwnSite } from './site.ts'

let site: OwnSite
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const readTheme = (page: Page) =>
  page.evaluate(() => ({
    classes: document.documentElement.className,
    saved: localStorage.getItem('ui-theme'),
  }))
const toastRegion = (page: Page) => page.getByRole('region', { name: /Notifications/ })

/** Signs in with a wrong password, which shows a toast. */
const failToSignIn = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** Opens the page to sign in, on which time passes only by `runFor` of its clock. */
const openLoginWithoutTime = async (): Promise<Page> => {
  const page = await site.newPage()
  await page.clock.install()
  await page.goto('/login')
  await page.getByText('Welcome back').waitFor()
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 3_600_000))
  return page
}

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

test.each(['AbortSignal.prototype.throwIfAborted', 'Array.prototype.at', 'String.prototype.replaceAll'])(
  'When the browser lacks %s, then the page says that it is too old, and what to do',
  async (name) => {
    const page = await site.newPage({ locale: 'fr-FR' })
    await page.addInitScript(`delete ${name}`)
    await page.goto('/login')
    // Also when the code has been loaded.
    await page.waitForLoadState('networkidle')
    expect((await page.locator('body').innerText()).split(/\n+/)).toEqual([
      'Ce navigateur est trop ancien',
      'Mettez-le à jour ou utilisez un autre appareil.',
    ])
  },
)

test.each(['light', 'dark'] as const)(
  'When the theme follows the device and the device prefers %s, then the page has that theme',
  async (colorScheme) => {
    const page = await site.newPage({ colorScheme, theme: 'system' })
    await page.goto('/login')
    await page.getByText('Welcome back').waitFor()
    expect((await readTheme(page)).classes).toBe(colorScheme)
    const otherScheme = colorScheme === 'light' ? 'dark' : 'light'
    await page.emulateMedia({ colorScheme: otherScheme })
    await page.waitForFunction((name) => document.documentElement.className === name, otherScheme)
  },
)

test('When no theme is saved, then the page is light even if the device prefers dark', async () => {
  const page = await site.newPage({ colorScheme: 'dark' })
  await page.goto('/login')
  await page.getByText('Welcome back').waitFor()
  expect((await readTheme(page)).classes).toBe('light')
})

test('When a second toast is shown, then it replaces the first', async () => {
  const page = await openLoginWithoutTime()
  await failToSignIn(page, site.organiser.user.email)
  await toastRegion(page).getByText('Invalid email or password').waitFor()
  await page.route('**/api/auth/login*', (route) => route.abort())
  await failToSignIn(page, site.organiser.user.email)
  await toastRegion(page).getByText('The connection was lost').waitFor()
  expect(await toastRegion(page).getByText('Error', { exact: true }).count()).toBe(1)
  expect(await toastRegion(page).getByText('Invalid email or password').count()).toBe(0)
})

test('When five seconds have passed, then a toast disappears', async () => {
  const page = await openLoginWithoutTime()
  await failToSignIn(page, site.organiser.user.email)
  const toast = toastRegion(page).getByText('Invalid email or password')
  await toast.waitFor()
  await page.mouse.move(0, 0)
  await page.clock.runFor(4_500)
  expect(await toast.count()).toBe(1)
  await page.clock.runFor(1_000)
  await toast.waitFor({ state: 'detached' })
})

test('When a toast is swiped 50 pixels to the right, then it is dismissed; a shorter swipe keeps it', async () => {
  const page = await openLoginWithoutTime()
  await failToSignIn(page, site.organiser.user.email)
  const toast = toastRegion(page).getByText('Invalid email or password')
  await toast.waitFor()
  const swipe = async (pixels: number): Promise<void> => {
    const box = await toast.boundingBox()
    if (!box) throw new Error('The toast is not visible.')
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

test('When F8 is pressed, then the toast region has the focus', async () => {
  const page = await site.newPage()
  await page.goto('/login')
  await failToSignIn(page, site.organiser.user.email)
  await toastRegion(page).getByText('Invalid email or password').waitFor()
  await page.keyboard.press('F8')
  expect(await toastRegion(page).evaluate((region) => region === document.activeElement)).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await toastRegion(page).getByText('Invalid email or password').waitFor({ state: 'detached' })
})

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
  await page.getByText('No contact messages found.').waitFor()
})

test('When a path does not exist, then guests and members see a not-found page', async () => {
  const guest = await site.newPage()
  await guest.goto('/no-such-page')
  await guest.getByRole('heading', { name: 'Page not found' }).waitFor()
  await guest.getByRole('link', { name: 'Go to Home' }).click()
  await guest.getByRole('heading', { name: 'QR Code-Based Image Upload System' }).waitFor()

  const admin = await site.newPage({ account: site.admin })
  await admin.goto('/events/created/by/nobody')
  await admin.getByRole('heading', { name: 'Page not found' }).waitFor()
  await admin.getByRole('navigation', { name: 'Main' }).waitFor()
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

test('When code fails in a browser, then the gateway logs each error once, with the release of the part that failed', async () => {
  const page = await site.newPage()
  await page.goto(`/upload?eventId=${site.event._id}#top`)
  await page.getByRole('heading', { name: site.event.name }).waitFor()
  const fail = (message: string, url: string) =>
    page.evaluate(
      ([message, url]) => {
        const error = new Error(message)
        error.stack = `Error: ${message}\n    at f (${url}/main.js?v=1:1:2)`
        setTimeout(() => {
          throw error
        })
      },
      [message, url],
    )
  const findReports = () =>
    site.system.log
      .map((line) => JSON.parse(line) as Record<string, string>)
      .filter(({ msg }) => msg === 'error in a browser')
  const waitForReports = (count: number) =>
    eventually(() => findReports().length >= count && findReports(), `${count} reports`)

  for (let round = 0; round < 2; round += 1)
    await fail('a bug of guest@example.org', site.frontends.remotes.public)
  await waitForReports(1)
  await fail('a bug of the shell', site.frontends.url)
  await waitForReports(2)
  await page.evaluate(() => void setTimeout(() => void Promise.reject(new Error('a rejection'))))
  const reports = await waitForReports(3)
  const summaries = reports.map(({ remote, release, page, error }) => [remote, release, page, error])
  expect(summaries).toEqual([
    ['public', publicPackage.version, '/upload', 'Error: a bug of [email]'],
    ['shell', shellPackage.version, '/upload', 'Error: a bug of the shell'],
    ['shell', shellPackage.version, '/upload', 'Error: a rejection'],
  ])
  expect(JSON.stringify(reports)).not.toContain(site.event._id)

  const requests: string[] = []
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
  for (let index = 0; index < 5; index += 1) await fail(`one of many: ${index}`, site.frontends.url)
  await waitForReports(5)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  expect(requests.filter((each) => each === 'POST /api/client-errors')).toHaveLength(2)
})
