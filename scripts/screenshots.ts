import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { demoAdmin, demoOrganiser } from './demo-data.ts'
import { root } from './places.ts'
import { startTemporarySystem } from './temporary-system.ts'

// Takes the pictures that the README shows, from the real system with its demo data.

const folder = join(root, 'docs/screenshots')
const phone = { width: 375, height: 860 }
const desktop = { width: 1280, height: 800 }

interface Shot {
  name: string
  path: string
  /** Is on the page once it is ready. */
  ready: string
  size: typeof phone
  theme: 'light' | 'dark'
  as?: typeof demoAdmin
  before?: (page: Page) => Promise<void>
}

const say = (line: string): void => console.log(line)

const chooseFiles = async (page: Page): Promise<void> => {
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 4')
  const files = ['phone-jolla.jpg', 'iphone-13.heic', 'camera-gps.jpg', 'video.mov']
  await page.setInputFiles(
    'input[type=file]',
    files.map((file) => join(root, 'samples', file)),
  )
  await page.getByText('video.mov').waitFor()
}
const seeChosen = async (page: Page): Promise<void> => {
  await chooseFiles(page)
  // No browser here draws a HEIC; the three others have their previews.
  await page.waitForFunction(
    '[...document.querySelectorAll("li canvas")].filter((canvas) => getComputedStyle(canvas).opacity === "1").length >= 3',
  )
}
const send = async (page: Page): Promise<void> => {
  await chooseFiles(page)
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
}
const seePictures = async (page: Page): Promise<void> => {
  await page.getByText('Getting ready').first().waitFor({ state: 'detached' })
  // Not all: what is out of sight loads when it is scrolled to.
  await page.waitForFunction(
    '[...document.images].filter((image) => image.complete && image.naturalWidth > 0).length >= 3',
  )
}

const take = async (browser: Browser, url: string, shot: Shot): Promise<void> => {
  const context = await browser.newContext({
    baseURL: url,
    viewport: shot.size,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.addInitScript((theme) => localStorage.setItem('ui-theme', theme), shot.theme)
  if (shot.as) {
    await page.goto('/login')
    await page.getByLabel('Email').fill(shot.as.email)
    await page.getByLabel('Password', { exact: true }).fill(shot.as.password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('heading', { name: 'Welcome to Confetti!' }).waitFor()
  }
  await page.goto(shot.path)
  await page.getByText(shot.ready).first().waitFor()
  await shot.before?.(page)
  await page.waitForFunction('document.fonts.status === "loaded"')
  await page.screenshot({ path: join(folder, `${shot.name}.png`) })
  await context.close()
  say(`docs/screenshots/${shot.name}.png`)
}

const system = await startTemporarySystem(say)
try {
  const [event] = system.events
  if (!event) throw new Error('There is no demo event.')
  const upload = `/upload?eventId=${event._id}`
  const shots: Shot[] = [
    { name: 'landing', path: '/', ready: 'Register Now', size: desktop, theme: 'light' },
    { name: 'guest', path: upload, ready: event.name, size: phone, theme: 'light', before: seeChosen },
    { name: 'guest-dark', path: upload, ready: event.name, size: phone, theme: 'dark' },
    { name: 'thank-you', path: upload, ready: event.name, size: phone, theme: 'light', before: send },
    {
      name: 'event-uploads',
      path: `/admin/event-uploads/${event._id}`,
      ready: 'Credit: Table 4',
      size: desktop,
      theme: 'light',
      as: demoAdmin,
      before: seePictures,
    },
    {
      name: 'event-details',
      path: `/events/${event._id}`,
      ready: 'QR Code',
      size: desktop,
      theme: 'light',
      as: demoAdmin,
    },
    {
      name: 'my-events-dark',
      path: '/myevents',
      ready: event.name,
      size: desktop,
      theme: 'dark',
      as: demoOrganiser,
      before: seePictures,
    },
  ]
  await mkdir(folder, { recursive: true })
  const browser = await launchBrowser()
  try {
    for (const shot of shots) await take(browser, system.url, shot)
  } finally {
    await browser.close()
  }
} finally {
  await system.stop()
}
