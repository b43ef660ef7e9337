import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { demoAdmin, demoOrganiser } from './demo-data.ts'
import { root } from './paths.ts'
import { startTemporarySystem } from './temporary-system.ts'

// Takes the screenshots for README and docs/translations.md, from a real system with the demo data. Those in Japanese
// need a Japanese font on this machine.

const folder = join(root, 'docs/screenshots')
const phone = { width: 375, height: 860 }
const desktop = { width: 1280, height: 800 }

interface Screenshot {
  /** The file: .jpg where photos would make a PNG large. */
  name: string
  path: string
  /** A text that is visible when the page is ready. */
  readyText: string
  size: typeof phone
  theme: 'light' | 'dark'
  language?: 'ar' | 'ja'
  account?: typeof demoAdmin
  prepare?: (page: Page) => Promise<void>
}

const print = (line: string): void => console.log(line)

const chooseFiles = async (page: Page): Promise<void> => {
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 4')
  const files = ['phone-jolla.jpg', 'iphone-13.heic', 'camera-gps.jpg', 'video.mov']
  await page.setInputFiles(
    'input[type=file]',
    files.map((file) => join(root, 'samples', file)),
  )
  await page.getByText('video.mov').waitFor()
}
const waitForPreviews = async (page: Page): Promise<void> => {
  await chooseFiles(page)
  // Chromium cannot decode HEIC, so only the three other files have previews.
  await page.waitForFunction(
    '[...document.querySelectorAll("li canvas")].filter((canvas) => getComputedStyle(canvas).opacity === "1").length >= 3',
  )
}
const uploadFiles = async (page: Page): Promise<void> => {
  await chooseFiles(page)
  await page.getByRole('button', { name: 'Upload' }).click()
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
}
const saveWelcome = async (page: Page): Promise<void> => {
  await page.getByLabel('Welcome text').fill('So glad that you are here. Send us everything!')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Settings saved').waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByText('Settings saved').waitFor({ state: 'detached' })
  await page.evaluate('scrollTo(0, 0)')
}
const choosePhotos = async (page: Page): Promise<void> => {
  await waitForThumbnails(page)
  await page.getByRole('button', { name: 'Choose photos' }).click()
  // The newest, which were sent after saving was allowed: they have copies.
  for (let count = 0; count < 3; count += 1)
    await page.locator('button[aria-pressed=false]:not([aria-disabled=true])').first().click()
  await page.getByText('Chosen: 3').waitFor()
}
const openWall = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.goto(await page.getByLabel('Link to the live wall').inputValue())
  await page.locator('figure img').first().waitFor()
  await page.waitForFunction(
    '[...document.images].every((image) => image.complete && image.naturalWidth > 0)',
  )
}
const waitForQrCode = (page: Page): Promise<void> => page.getByRole('img', { name: /^QR code/ }).waitFor()
const waitForThumbnails = async (page: Page): Promise<void> => {
  const preparing = page.getByText('Being prepared').filter({ visible: true })
  await preparing.first().waitFor({ state: 'detached', timeout: 120_000 })
  // Not all images: those outside the viewport load when they are scrolled into view.
  await page.waitForFunction(
    '[...document.images].filter((image) => image.complete && image.naturalWidth > 0).length >= 3',
  )
}

/** Changes the settings of an event, as its organiser. */
const changeSettings = async (apiUrl: string, eventId: string, settings: object): Promise<void> => {
  const send = async (method: string, path: string, body: object, token = ''): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
    const response = await fetch(`${apiUrl}${path}`, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} responded with ${response.status}.`)
    return response.json()
  }
  const { accessToken } = (await send('POST', '/api/auth/login', demoOrganiser)) as { accessToken: string }
  await send('PATCH', `/api/events/${eventId}`, { settings }, accessToken)
}

const takeScreenshot = async (browser: Browser, url: string, screenshot: Screenshot): Promise<void> => {
  const context = await browser.newContext({
    baseURL: url,
    viewport: screenshot.size,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    // The waits below are evaluated in the page, which its policy forbids.
    bypassCSP: true,
  })
  const page = await context.newPage()
  await page.addInitScript((theme) => localStorage.setItem('ui-theme', theme), screenshot.theme)
  if (screenshot.account) {
    await page.goto('/login')
    await page.getByLabel('Email').fill(screenshot.account.email)
    await page.getByLabel('Password', { exact: true }).fill(screenshot.account.password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('heading', { name: 'Welcome to Confetti!' }).waitFor()
  }
  // Not before: it signs in with the English labels.
  if (screenshot.language)
    await page.addInitScript((tag) => localStorage.setItem('ui-language', tag), screenshot.language)
  await page.goto(screenshot.path)
  await page.getByText(screenshot.readyText).first().waitFor()
  await screenshot.prepare?.(page)
  await page.waitForFunction('document.fonts.status === "loaded"')
  const isPhoto = screenshot.name.endsWith('.jpg')
  await page.screenshot({ path: join(folder, screenshot.name), ...(isPhoto && { quality: 88 }) })
  await context.close()
  print(`docs/screenshots/${screenshot.name}`)
}

const system = await startTemporarySystem(print)
try {
  const [event, eventWithPin, eventWithConsent] = system.events
  if (!event || !eventWithPin || !eventWithConsent) throw new Error('The system lacks demo events.')
  const { apiUrl } = (await (await fetch(`${system.url}/config.json`)).json()) as { apiUrl: string }
  await changeSettings(apiUrl, event._id, { gallery: 'on', save: 'copy' })
  await changeSettings(apiUrl, eventWithPin._id, { pin: 'harbour' })
  const text = 'Our guests see my photos in the gallery, and the family prints some of them in a book.'
  await changeSettings(apiUrl, eventWithConsent._id, { consent: { text } })
  const toUpload = ({ _id }: { _id: string }): string => `/upload?eventId=${_id}`
  const upload = toUpload(event)
  const screenshots: Screenshot[] = [
    { name: 'landing.png', path: '/', readyText: 'Register Now', size: desktop, theme: 'light' },
    {
      name: 'guest.png',
      path: upload,
      readyText: event.name,
      size: phone,
      theme: 'light',
      prepare: waitForPreviews,
    },
    { name: 'guest-dark.png', path: upload, readyText: event.name, size: phone, theme: 'dark' },
    {
      name: 'thank-you.png',
      path: upload,
      readyText: event.name,
      size: phone,
      theme: 'light',
      prepare: uploadFiles,
    },
    {
      name: 'guest-pin.png',
      path: toUpload(eventWithPin),
      readyText: eventWithPin.name,
      size: phone,
      theme: 'light',
    },
    {
      name: 'guest-consent.png',
      path: toUpload(eventWithConsent),
      readyText: text,
      size: phone,
      theme: 'light',
      prepare: chooseFiles,
    },
    {
      name: 'event-uploads.jpg',
      path: `/admin/event-uploads/${event._id}`,
      readyText: 'Credit: Table 4',
      size: desktop,
      theme: 'light',
      account: demoAdmin,
      prepare: waitForThumbnails,
    },
    {
      name: 'event-details.png',
      path: `/events/${event._id}`,
      readyText: 'QR Code',
      size: desktop,
      theme: 'light',
      account: demoAdmin,
      prepare: waitForQrCode,
    },
    {
      name: 'my-events-dark.png',
      path: '/myevents',
      readyText: event.name,
      size: desktop,
      theme: 'dark',
      account: demoOrganiser,
      prepare: waitForThumbnails,
    },
    {
      name: 'event-settings.png',
      path: `/myevents/${event._id}/settings`,
      readyText: 'What guests see',
      size: desktop,
      theme: 'light',
      account: demoOrganiser,
      prepare: saveWelcome,
    },
    {
      name: 'gallery.jpg',
      path: `/gallery?eventId=${event._id}`,
      readyText: 'Choose photos',
      size: phone,
      theme: 'light',
      prepare: waitForThumbnails,
    },
    {
      name: 'gallery-save.jpg',
      path: `/gallery?eventId=${event._id}`,
      readyText: 'Choose photos',
      size: phone,
      theme: 'light',
      prepare: choosePhotos,
    },
    {
      name: 'live-wall.jpg',
      path: `/myevents/${event._id}/settings`,
      readyText: 'What guests see',
      size: desktop,
      theme: 'light',
      account: demoOrganiser,
      prepare: openWall,
    },
    {
      name: 'users.png',
      path: '/admin/users',
      readyText: demoOrganiser.email,
      size: desktop,
      theme: 'light',
      account: demoAdmin,
    },
    {
      name: 'audit-log.png',
      path: '/admin/audit',
      readyText: 'Welcome text',
      size: desktop,
      theme: 'light',
      account: demoAdmin,
    },
    { name: 'landing-ja.png', path: '/', readyText: '使い方', size: desktop, theme: 'light', language: 'ja' },
    {
      name: 'guest-ja.png',
      path: upload,
      readyText: '写真・動画を追加',
      size: phone,
      theme: 'light',
      language: 'ja',
    },
    {
      name: 'event-uploads-ja.jpg',
      path: `/admin/event-uploads/${event._id}`,
      readyText: '分けてダウンロード',
      size: desktop,
      theme: 'light',
      language: 'ja',
      account: demoAdmin,
      prepare: waitForThumbnails,
    },
    {
      name: 'guest-ar.png',
      path: upload,
      readyText: 'أضف صورًا وفيديوهات',
      size: phone,
      theme: 'light',
      language: 'ar',
    },
    {
      name: 'my-events-ar.png',
      path: '/myevents',
      readyText: event.name,
      size: desktop,
      theme: 'light',
      language: 'ar',
      account: demoOrganiser,
      prepare: waitForThumbnails,
    },
    {
      name: 'event-settings-ar.png',
      path: `/myevents/${event._id}/settings`,
      readyText: 'الإعدادات',
      size: desktop,
      theme: 'light',
      language: 'ar',
      account: demoOrganiser,
    },
  ]
  await mkdir(folder, { recursive: true })
  const browser = await launchBrowser()
  try {
    for (const screenshot of screenshots) await takeScreenshot(browser, system.url, screenshot)
  } finally {
    await browser.close()
  }
} finally {
  await system.stop()
}
