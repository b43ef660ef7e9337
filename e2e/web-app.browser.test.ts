import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { deleteEvent, updateEvent } from '@confetti/contracts'
import { serveRemote } from '@confetti/launcher'
import { call, eventually, newEvent, uniquePhoto, type Account } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { listUploads } from './harness.ts'
import { copyFrontend, type ReleasedFrontend } from './released-frontend.ts'
import { sha256 } from './sha256.ts'
import { startSite, type OwnSite } from './site.ts'

let site: OwnSite
let shell: ReleasedFrontend
let publicRemote: ReleasedFrontend
let publicServer: Awaited<ReturnType<typeof serveRemote>>
// Read for each request of /config.json.
let isWorkerAllowed = true
/** Lets the worker wait a minute for the network before it shows what is stored: a busy machine may need it. */
const waitLongerForNetwork = async (): Promise<void> => {
  const file = join(shell.folder, 'service-worker.js')
  const worker = await readFile(file, 'utf8')
  const patient = worker.replaceAll(/networkTimeoutSeconds:3\b/g, 'networkTimeoutSeconds:60')
  expect(patient).not.toBe(worker)
  await writeFile(file, patient)
}
beforeAll(async () => {
  shell = await copyFrontend('shell')
  await waitLongerForNetwork()
  publicRemote = await copyFrontend('public')
  publicServer = await serveRemote(publicRemote.folder)
  site = await startSite({
    frontends: {
      shellFiles: shell.folder,
      manifests: { public: `${publicServer.url}/mf-manifest.json` },
      serviceWorker: () => isWorkerAllowed,
    },
  })
})
afterAll(async () => {
  await site.stop()
  await publicServer.close()
  await shell.remove()
  await publicRemote.remove()
})

const openPage = (account?: Account): Promise<Page> =>
  site.newPage({
    serviceWorkers: 'allow',
    viewport: { width: 375, height: 740 },
    ...(account && { account }),
  })

const uploadPath = (eventId: string): string => `/upload?eventId=${eventId}`

/** The URLs of all stored responses. */
const listStored = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const urls: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) urls.push(url)
    return urls
  })

/** Waits until the worker controls the page and has stored what the page has loaded, and the code of sending. */
const waitUntilStored = async (page: Page, eventId: string): Promise<void> => {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await eventually(async () => {
    const stored = await listStored(page)
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    const hashed = loaded.filter((url) => /\.[0-9a-f]{10}\.(js|css|woff2)$/.test(url))
    const needed = [`/api/events/${eventId}`, '/config.json', '/mf-manifest.json', `${site.frontends.url}/`]
    return (
      hashed.every((url) => stored.includes(url)) &&
      needed.every((end) => stored.some((url) => url.endsWith(end))) &&
      stored.some((url) => url.includes('/upload-code.'))
    )
  }, 'the files of the upload page in the cache')
}

/** Opens the upload page of an event as a guest, and waits until the page can be opened without a network. */
const visitUploadPage = async (eventId: string): Promise<Page> => {
  const page = await openPage()
  await page.goto(uploadPath(eventId))
  await page.getByLabel('Your Name (Photo Credit)').waitFor()
  await waitUntilStored(page, eventId)
  return page
}

/** Disconnects the page and its worker, which the emulation has to include. */
const goOffline = async (page: Page): Promise<void> => {
  await page.context().setOffline(true)
  const requestMissingFile = page.evaluate(() => fetch('/missing.0123456789.js'))
  await expect(requestMissingFile).rejects.toThrow('Failed to fetch')
}

const countRegistrations = (page: Page): Promise<number> =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
const listCaches = (page: Page): Promise<string[]> => page.evaluate(() => caches.keys())

test('When a guest has opened the upload page once, then it opens without a network, takes files and sends them later', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  const page = await visitUploadPage(event._id)

  await goOffline(page)
  await page.reload()
  await page.getByRole('heading', { name: event.name }).waitFor()
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  const photo = { name: 'cake.jpg', mimeType: 'image/jpeg', buffer: await uniquePhoto() }
  await page.setInputFiles('input[type=file]', photo)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page
    .getByText("You're offline. Sending will resume automatically when you're back online.")
    .first()
    .waitFor()

  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  const uploads = await listUploads(site, event._id)
  expect(uploads.map((upload) => upload.sha256)).toEqual([sha256(photo.buffer)])
})

test('When a short link is opened with a service worker, then it leads to the event, and without a network the app says so', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  const page = await visitUploadPage(event._id)
  const path = `${new URL(event.shortUrl ?? '').pathname}#key`
  await page.goto('/thank-you')
  await page.goto(path)
  await page.getByRole('heading', { name: event.name }).waitFor()
  expect(page.url()).toBe(`${event.uploadUrl}#key`)

  await goOffline(page)
  await page.goto(path)
  await page.getByRole('heading', { name: "Couldn't load this page" }).waitFor()
  await page.context().setOffline(false)
  await page.reload()
  await page.getByRole('heading', { name: event.name }).waitFor()
  expect(page.url()).toBe(`${event.uploadUrl}#key`)
})

test('When files wait and the page is opened again without a network, then it lists them', async () => {
  const page = await visitUploadPage(site.event._id)
  await goOffline(page)
  const photo = { name: 'dance.jpg', mimeType: 'image/jpeg', buffer: await uniquePhoto() }
  await page.setInputFiles('input[type=file]', photo)
  await page.waitForFunction(() => localStorage.getItem('hasUnsentFiles'))

  await page.close()
  const nextPage = await page.context().newPage()
  await nextPage.goto(uploadPath(site.event._id))
  await nextPage
    .getByRole('region', { name: 'Files still to send' })
    .getByText('1 file still to send')
    .waitFor()
})

test('When the shell or a remote is released, then the next load of a page shows the release', async () => {
  const page = await visitUploadPage(site.event._id)

  await publicRemote.release('Your Name (Photo Credit)', 'Your name in release 2')
  await page.reload()
  await page.getByLabel('Your name in release 2').waitFor()
  await publicRemote.release('Your name in release 2', 'Your Name (Photo Credit)')
  await page.reload()
  await page.getByLabel('Your Name (Photo Credit)').waitFor()

  await page.goto('/no-such-page')
  await page.getByRole('heading', { name: 'Page not found', exact: true }).waitFor()
  await shell.release('Page not found', 'No page in release 2')
  await page.reload()
  await page.getByRole('heading', { name: 'No page in release 2' }).waitFor()
  await shell.release('No page in release 2', 'Page not found')
  await page.reload()
  await page.getByRole('heading', { name: 'Page not found', exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
})

test('When members use the site, then nothing of the API is stored', async () => {
  const page = await openPage(site.organiser)
  await page.goto('/myevents')
  const link = page.getByRole('link', { name: `Settings of ${site.event.name}` })
  await link.waitFor()
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await page.reload()
  await link.click()
  await page.getByRole('button', { name: 'Save settings' }).waitFor()
  await eventually(
    async () => (await listStored(page)).filter((url) => url.includes('/main.')).length === 1,
    'the code in the cache of the worker',
  )
  expect((await listStored(page)).filter((url) => url.includes('/api/'))).toEqual([])
})

test('When a guest has opened several events, then the last five are stored without guest tokens, and deleted ones are removed', async () => {
  const page = await visitUploadPage(site.event._id)
  const events = []
  for (let count = 0; count < 5; count += 1) {
    const event = await newEvent(site.api, site.admin, site.organiser)
    events.push(event)
    await page.goto(uploadPath(event._id))
    await page.getByRole('heading', { name: event.name }).waitFor()
  }
  const listEvents = async (): Promise<string[]> =>
    (await listStored(page)).filter((url) => url.includes('/api/')).map((url) => url.split('/').at(-1) ?? '')
  const eventIds = events.map(({ _id }) => _id)
  await eventually(
    async () => JSON.stringify((await listEvents()).toSorted()) === JSON.stringify(eventIds.toSorted()),
    'the last five events in the cache',
  )
  const headers = await page.evaluate(async () => {
    const cache = await caches.open((await caches.keys()).find((name) => name.includes('events')) ?? '')
    const responses = await Promise.all((await cache.keys()).map((request) => cache.match(request)))
    return responses.flatMap((response) => [...(response?.headers.keys() ?? [])])
  })
  expect(new Set(headers)).toEqual(new Set(['content-type']))

  const [deleted = ''] = eventIds
  await call(site.api, deleteEvent, { token: site.admin.token, params: { eventId: deleted } })
  await eventually(async () => {
    await page.goto(uploadPath(deleted))
    await page.locator('h1').waitFor()
    return !(await listEvents()).includes(deleted)
  }, 'the removal of the deleted event')
  await page.goto(uploadPath(deleted))
  await page.getByRole('heading', { name: 'Event not found' }).waitFor()
})

test('When caches of earlier rules exist, then the worker deletes them and no others', async () => {
  const page = await openPage()
  await page.goto('/config.json')
  await page.evaluate(() => Promise.all(['confetti-v0-pages', 'other'].map((name) => caches.open(name))))
  await page.goto(uploadPath(site.event._id))
  await page.getByLabel('Your Name (Photo Credit)').waitFor()
  await waitUntilStored(page, site.event._id)
  const names = await listCaches(page)
  expect(names).toContain('other')
  expect(names).not.toContain('confetti-v0-pages')
})

test('When the configuration forbids the worker, then the next load of a page removes it with its caches', async () => {
  const page = await visitUploadPage(site.event._id)
  isWorkerAllowed = false
  await page.reload()
  await eventually(async () => (await countRegistrations(page)) === 0, 'no worker')
  // The worker may store files that it was loading: the next visit deletes those.
  await eventually(async () => {
    await page.reload()
    await page.getByLabel('Your Name (Photo Credit)').waitFor()
    return (await listCaches(page)).length === 0
  }, 'no caches')
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()

  isWorkerAllowed = true
  await page.reload()
  await waitUntilStored(page, site.event._id)
})

test('When the worker is replaced by the one that removes itself, then the next load of a page removes it with its caches', async () => {
  const page = await visitUploadPage(site.event._id)
  const file = join(shell.folder, 'service-worker.js')
  const worker = await readFile(file)
  await writeFile(file, await readFile(join(shell.folder, 'service-worker-off.js')))
  try {
    await eventually(async () => {
      await page.reload()
      await page.getByLabel('Your Name (Photo Credit)').waitFor()
      // Each visit registers it again.
      await eventually(async () => (await countRegistrations(page)) === 0, 'no worker')
      return (await listCaches(page)).length === 0
    }, 'no caches')
  } finally {
    await writeFile(file, worker)
  }
})

test('When a page is still loading while the first worker becomes active, then the worker controls it, too', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  const first = await openPage()
  const second = await first.context().newPage()
  const isHeld = Promise.withResolvers<undefined>()
  const isReleased = Promise.withResolvers<undefined>()
  await second.route(`**${uploadPath(event._id)}`, async (route) => {
    isHeld.resolve(undefined)
    await isReleased.promise
    await route.continue()
  })
  const visit = second.goto(uploadPath(event._id))
  await isHeld.promise
  await first.goto(uploadPath(event._id))
  await waitUntilStored(first, event._id)
  isReleased.resolve(undefined)
  await visit
  await second.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
})

test('When the installed app is opened, then it shows the last event, and the landing page once that is closed', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  const page = await openPage()
  await page.goto('/?app')
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')

  await page.goto(uploadPath(event._id))
  await waitUntilStored(page, event._id)
  await eventually(async () => {
    await page.goto('/?app')
    return page.url() === `${site.frontends.url}${uploadPath(event._id)}`
  }, 'the page of the last event')
  await page.getByRole('heading', { name: event.name }).waitFor()

  await call(site.api, updateEvent, {
    token: site.admin.token,
    params: { eventId: event._id },
    body: { settings: { uploads: 'closed' } },
  })
  await page.reload()
  await page.getByText('Uploads for this event are closed.').waitFor()
  await eventually(async () => {
    await page.goto('/?app')
    return new URL(page.url()).pathname === '/'
  }, 'the landing page')
})

test('When the browser reads the manifest, then it can install the app, and each icon has its size', async () => {
  const page = await openPage()
  const violations: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text())
  })
  await page.goto(uploadPath(site.event._id))
  await page.getByLabel('Your Name (Photo Credit)').waitFor()
  const browser = await page.context().newCDPSession(page)
  const { url, errors, data, manifest } = await browser.send('Page.getAppManifest')
  expect(errors).toEqual([])
  // Chromium's criteria besides name and icons. The headless shell has no `Page.getInstallabilityErrors`: it always
  // answers that there are none.
  const root = `${site.frontends.url}/`
  expect(manifest).toMatchObject({
    display: 'kStandalone',
    preferRelatedApplications: false,
    startUrl: `${root}?app`,
    scope: root,
  })
  expect((await fetch(url)).headers.get('Content-Type')).toMatch(/^application\/manifest\+json/)
  const { name, start_url, display, icons } = JSON.parse(data ?? '')
  expect({ name, start_url, display }).toEqual({
    name: 'Confetti',
    start_url: '/?app',
    display: 'standalone',
  })
  const appleIcon = await page.locator('link[rel=apple-touch-icon]').getAttribute('href')
  for (const { src, sizes, type } of [...icons, { src: appleIcon, sizes: '180x180', type: 'image/png' }]) {
    const response = await fetch(new URL(src, site.frontends.url))
    expect(response.headers.get('Content-Type')).toBe(type)
    const { width, height } = await sharp(await response.arrayBuffer()).metadata()
    if (sizes !== 'any') expect(`${width}x${height}`).toBe(sizes)
  }
  expect(icons.map(({ sizes, purpose }: Record<string, string>) => [sizes, purpose])).toEqual(
    expect.arrayContaining([
      ['192x192', undefined],
      ['512x512', undefined],
      ['512x512', 'maskable'],
    ]),
  )
  expect(violations).toEqual([])
})
