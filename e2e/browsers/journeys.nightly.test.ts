import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { getEvent, updateEvent, type Event } from '@confetti/contracts'
import {
  call,
  eventually,
  newEvent,
  newOrganiser,
  readSample,
  sampleNames,
  samplePath,
  sendFiles,
  startTcpProxy,
  type Account,
  type ProxyMode,
  type SampleName,
  type TcpProxy,
} from '@confetti/test-kit'
import { unzipSync } from 'fflate'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { listUploads, waitForProcessing } from '../harness.ts'
import { sha256 } from '../sha256.ts'
import { startSiteServers, type SiteServers } from '../site-servers.ts'
import { createVideo, isWholeVideoSeen } from '../whole-video.ts'
import { launchFirefox } from './firefox.ts'
import { createPage, type BrowserPage } from './page.ts'
import { launchWebKit } from './webkit.ts'

let site: SiteServers
/** Between the browsers and the gateway. */
let apiProxy: TcpProxy
/** Between the browsers and blob storage. */
let blobProxy: TcpProxy
beforeAll(async () => {
  site = await startSiteServers({
    getApiUrl: async (gatewayUrl) => {
      apiProxy = await startTcpProxy(gatewayUrl)
      return new URL(apiProxy.url).origin
    },
    getBlobUrl: async (blobUrl) => {
      blobProxy = await startTcpProxy(blobUrl)
      return blobProxy.url
    },
  })
})
afterAll(async () => {
  await apiProxy.close()
  await blobProxy.close()
  await site.stop()
})

/** Returns the names and hashes of samples, in the order of their names. */
const hashSamples = async (names: readonly SampleName[]): Promise<string[][]> =>
  (await Promise.all(names.map(async (name) => [name, sha256(await readSample(name))]))).toSorted()

/** Creates an event with uploads of these samples, the last one the newest. */
const createEventWithUploads = async (organiser: Account, names: readonly SampleName[]): Promise<Event> => {
  const event = await newEvent(site.api, site.admin, organiser)
  for (const name of names) await sendFiles(site.api, event._id, [{ name, bytes: await readSample(name) }])
  return event
}

/** Returns the names and hashes of an event's uploads, in the order of their names. */
const listHashes = async (event: Event): Promise<string[][]> =>
  (await listUploads(site, event._id)).map(({ originalName, sha256 }) => [originalName, sha256]).toSorted()

/** Opens the upload page of an event and chooses samples. */
const chooseSamples = async (
  page: BrowserPage,
  event: Event,
  names: readonly SampleName[],
): Promise<void> => {
  await page.open(`${site.frontends.url}/upload?eventId=${event._id}`)
  const name = { label: 'Your Name (Photo Credit)' }
  // The page remembers the name of an earlier journey.
  await page.read(name, 'element.select()')
  await page.type(name, 'Table 9')
  await page.chooseFiles({ label: /photos and videos/ }, names.map(samplePath))
}

/**
 * Opens the upload page of an event. From now on `keptCount` is what it has kept in a store of its database, `rejections` are
 * those that nobody handles, and `endConnections` ends the connections that have kept something.
 */
const openKeepingPage = async (page: BrowserPage, event: Event, store: 'files' | 'bytes'): Promise<void> => {
  await page.open(`${site.frontends.url}/upload?eventId=${event._id}`)
  await page.waitFor({ label: 'Your Name (Photo Credit)' })
  await page.evaluate(`
    const opened = new Set()
    const { put } = IDBObjectStore.prototype
    window.keptCount = 0
    IDBObjectStore.prototype.put = function (...values) {
      opened.add(this.transaction.db)
      if (this.name === '${store}')
        this.transaction.addEventListener('complete', () => (window.keptCount += 1))
      return put.apply(this, values)
    }
    window.rejections = []
    addEventListener('unhandledrejection', ({ reason }) => rejections.push(String(reason)))
    window.endConnections = () => opened.forEach((database) => database.close())`)
}

/** Chooses a sample, and waits until the page has kept `count` of them. */
const chooseAndKeep = async (page: BrowserPage, name: SampleName, count: number): Promise<void> => {
  await page.chooseFiles({ label: /photos and videos/ }, [samplePath(name)])
  await eventually(
    () => page.evaluate<boolean>(`return window.keptCount >= ${count}`),
    `${name} in the browser's database`,
  )
}

const photo = { role: 'button', name: /^Photo by / }

/** Opens the gallery of an event with these samples, the last one first. */
const openGallery = async (page: BrowserPage, names: readonly SampleName[]): Promise<void> => {
  const event = await createEventWithUploads(site.organiser, names)
  await call(site.api, updateEvent, {
    token: site.admin.token,
    params: { eventId: event._id },
    body: { settings: { gallery: 'on' } },
  })
  for (const { _id } of await listUploads(site, event._id)) await waitForProcessing(site, _id, event._id)
  await page.open(`${site.frontends.url}/gallery?eventId=${event._id}`)
}

const signIn = async (page: BrowserPage, { user, password }: Account): Promise<void> => {
  await page.open(site.frontends.url)
  await page.evaluate('localStorage.clear()')
  await page.open(`${site.frontends.url}/login`)
  await page.type({ label: 'Email' }, user.email)
  await page.type({ label: 'Password' }, password)
  await page.click({ role: 'button', name: 'Sign In' })
  await page.waitFor({ role: 'heading', name: 'Welcome to Confetti!' })
}

/** Returns day `day` of the next month, as yyyy-MM-dd and as the calendar names it in the browser's locale. */
const dayOfNextMonth = async (page: BrowserPage, day: number): Promise<{ date: string; label: string }> => {
  const now = new Date()
  const date = new Date(Date.UTC(now.getFullYear(), now.getMonth() + 1, day)).toISOString().slice(0, 10)
  const label = await page.evaluate<string>(
    `return new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date('${date}'))`,
  )
  return { date, label }
}

describe.each([
  ['Firefox', launchFirefox],
  ['WebKit', launchWebKit],
] as const)('%s', (browser, launchBrowser) => {
  let page: BrowserPage
  /** Its uploads are processed while the other journeys run. */
  let album: Event
  beforeAll(async () => {
    album = await createEventWithUploads(site.organiser, ['photo.webp', 'camera-gps.jpg'])
    page = createPage(await launchBrowser())
  })
  afterAll(() => page.close())

  test('When a guest uploads ten photos and videos, then all are stored byte for byte and the thank-you page is shown', async () => {
    const event = await newEvent(site.api, site.admin, site.organiser)
    await chooseSamples(page, event, sampleNames)
    await page.click({ role: 'button', name: 'Upload' })
    await page.waitFor({ role: 'heading', name: 'Thank You!' })
    await page.waitFor({ text: `${sampleNames.length} files for ${event.name}, from Table 9.` })
    expect(await listHashes(event)).toEqual(await hashSamples(sampleNames))
  })

  test('When the service worker controls the page, then a guest uploads photos and videos as before it was there', async () => {
    const event = await newEvent(site.api, site.admin, site.organiser)
    const names = ['camera-gps.jpg', 'iphone-13.heic', 'video.mov'] as const
    await page.open(`${site.frontends.url}/upload?eventId=${event._id}`)
    await eventually(
      () => page.evaluate<boolean>("return navigator.serviceWorker.controller?.state === 'activated'"),
      'the service worker',
    )
    await chooseSamples(page, event, names)
    expect(await page.evaluate('return navigator.serviceWorker.controller !== null')).toBe(true)
    await page.click({ role: 'button', name: 'Upload' })
    await page.waitFor({ role: 'heading', name: 'Thank You!' })
    expect(await listHashes(event)).toEqual(await hashSamples(names))
  })

  test('When the connection breaks in the middle of a file, then sending resumes automatically with the same bytes', async () => {
    const event = await newEvent(site.api, site.admin, site.organiser)
    const names = ['gradient.png', 'iphone-13.heic', 'phone-jolla.jpg'] as const
    await chooseSamples(page, event, names)
    const setMode = (mode: ProxyMode): void => {
      for (const proxy of [apiProxy, blobProxy]) proxy.setMode(mode)
    }
    let bytesSent = 0
    blobProxy.hooks.onRequest = ({ length }) => {
      bytesSent += length
      if (bytesSent > 500_000) setMode('refuse')
    }
    await page.click({ role: 'button', name: 'Upload' })
    await page.waitFor({ text: 'Connection lost. Sending will resume automatically.' })
    blobProxy.hooks.onRequest = undefined
    setMode('pass')
    await page.waitFor({ role: 'heading', name: 'Thank You!' })
    expect(await listHashes(event)).toEqual(await hashSamples(names))
  })

  test('When a chosen file is refused, then the thank-you page names it', async () => {
    const event = await newEvent(site.api, site.admin, site.organiser)
    await page.open(`${site.frontends.url}/upload?eventId=${event._id}`)
    await page.type({ label: 'Your Name (Photo Credit)' }, 'Table 9')
    await page.chooseFiles({ label: /photos and videos/ }, [samplePath('photo.webp'), import.meta.filename])
    await page.click({ role: 'button', name: 'Upload' })
    await page.waitFor({ role: 'heading', name: 'Thank You!' })
    await page.waitFor({ text: "1 file wasn't sent." })
    await page.waitFor({ text: basename(import.meta.filename) })
    expect(await listHashes(event)).toEqual(await hashSamples(['photo.webp']))
  })

  test('When the browser ends the connection to its database, then later files are kept as well', async () => {
    const event = await newEvent(site.api, site.admin, site.organiser)
    // The driver of WebKit opens a private window, in which the database takes no bytes: the guest chooses the files again.
    const kept = browser === 'WebKit' ? 'files' : 'bytes'
    await openKeepingPage(page, event, kept)
    const names = ['photo.webp', 'camera-gps.jpg', 'gradient.png'] as const
    for (const [index, name] of names.entries()) {
      await chooseAndKeep(page, name, index + 1)
      // As Safari does with pages in the background.
      await page.evaluate('endConnections()')
    }
    expect(await page.evaluate('return rejections')).toEqual([])
    await page.open(`${site.frontends.url}/upload?eventId=${event._id}`)
    await page.waitFor({ text: '3 files still to send' })
    if (kept === 'bytes') for (const name of names) await page.waitFor({ text: name })
  })

  test('When a page is left while it keeps a file, then the next page keeps files as well', async () => {
    const [event, next] = [
      await newEvent(site.api, site.admin, site.organiser),
      await newEvent(site.api, site.admin, site.organiser),
    ]
    await openKeepingPage(page, event, 'files')
    // Keeping takes until the page is left. Only WebKit keeps the page then.
    await page.evaluate(`
      const { put } = IDBObjectStore.prototype
      window.isKeeping = false
      IDBObjectStore.prototype.put = function (...values) {
        const readAgain = () => (this.count().onsuccess = readAgain)
        if (this.name === 'files' && !window.isKeeping) readAgain()
        window.isKeeping ||= this.name === 'files'
        return put.apply(this, values)
      }`)
    await page.chooseFiles({ label: /photos and videos/ }, [samplePath('photo.webp')])
    await eventually(() => page.evaluate<boolean>('return window.isKeeping'), 'a file that is being kept')
    await openKeepingPage(page, next, 'files')
    await chooseAndKeep(page, 'gradient.png', 1)
    if (browser !== 'WebKit') return
    await page.evaluate('history.back()')
    await eventually(
      () =>
        page.evaluate<boolean>(`return location.search.includes('${event._id}') && window.keptCount === 1`),
      'the first file in the database',
    )
    expect(await page.evaluate('return rejections')).toEqual([])
  })

  test.each(['main', 'shared'])(
    'When the file %s cannot be loaded, then the page offers Try again, which opens it',
    async (name) => {
      // A new origin: nothing of it is in a cache.
      const proxy = await startTcpProxy(site.frontends.url)
      proxy.hooks.onRequest = (chunk) => {
        if (new RegExp(`^GET /${name}\\.\\w+\\.js `).test(chunk.toString('latin1')))
          throw new Error('Blocked.')
      }
      await page.open(new URL('/login', proxy.url).href)
      const retry = { role: 'button', name: 'Try again' }
      await page.waitFor(retry)
      await page.waitForAbsence({ text: 'Loading...' })
      proxy.hooks.onRequest = undefined
      await page.click(retry)
      await page.waitFor({ role: 'heading', name: 'Welcome back' })
      await proxy.close()
    },
  )

  test('When the chooser is open while the last file is sent, then what is chosen in it is sent, too', async () => {
    const event = await newEvent(site.api, site.admin, site.organiser)
    await chooseSamples(page, event, ['photo.webp'])
    const unblocked = Promise.withResolvers<undefined>()
    apiProxy.hooks.onRequest = async (chunk) => {
      if (chunk.toString('latin1').startsWith('POST /api/uploads/tickets')) await unblocked.promise
    }
    await page.click({ role: 'button', name: 'Upload' })
    await page.waitFor({ text: 'keep this page open' })
    // No driver can leave a chooser open: the page sees the click, and the browser opens none.
    await page.evaluate("addEventListener('click', (event) => event.preventDefault(), { once: true })")
    await page.read({ label: 'Add more photos and videos' }, 'element.click()')
    unblocked.resolve(undefined)
    apiProxy.hooks.onRequest = undefined
    await page.waitFor({ text: 'Sent' })
    await page.chooseFiles({ label: 'Add more photos and videos' }, [samplePath('gradient.png')])
    await page.waitFor({ text: 'gradient.png' })
    await page.click({ role: 'button', name: 'Upload' })
    await page.waitFor({ text: `2 files for ${event.name}, from Table 9.` })
    expect(await listHashes(event)).toEqual(await hashSamples(['gradient.png', 'photo.webp']))
  })

  test('When a guest opens a photo of the gallery with Enter and presses it again, then it is not reported', async () => {
    await openGallery(page, ['photo.webp'])
    await page.read(photo, 'element.focus()')
    await page.press('Enter')
    await page.waitFor({ role: 'dialog', name: /^Photo by / })
    await page.press('Enter')
    expect(await page.evaluate("return document.body.textContent.includes('Report this photo?')")).toBe(false)
    await page.press('Escape')
    await page.waitForFocus(photo)
  })

  test('When a finger enlarges a photo and drags it, then the photo moves and stays open', async () => {
    await openGallery(page, ['photo.webp', 'camera-gps.jpg'])
    await page.click(photo)
    const dialog = { role: 'dialog', name: /^Photo by / }
    const picture = { role: 'img', within: dialog }
    const waitForPosition = (position: string) => page.waitFor({ text: position, within: dialog })
    await waitForPosition('1 of 2')
    const read = (side: 'left' | 'width'): Promise<number> =>
      page.read(picture, `element.getBoundingClientRect().${side}`)
    const waitUntil = (side: 'left' | 'width', px: number) =>
      eventually(async () => Math.abs((await read(side)) - px) < 2, `the ${side} of ${px} px`)
    const width = await read('width')
    const tap = [[0, 0]] as const
    const drag = [
      [100, 0],
      [0, 0],
      [-100, 0],
    ] as const
    await page.touch(picture, tap, tap)
    await waitUntil('width', 2.5 * width)
    const left = await read('left')
    await page.touch(picture, drag)
    await waitUntil('left', left - 200)
    await waitForPosition('1 of 2')

    await page.touch(picture, tap, tap)
    await waitUntil('width', width)
    await page.touch(picture, drag)
    await waitForPosition('2 of 2')
  })

  test('When an organiser opens a tall video, then the whole of it is in the window, with its controls', async () => {
    const organiser = await newOrganiser(site.api)
    const event = await newEvent(site.api, site.admin, organiser)
    await sendFiles(site.api, event._id, [{ name: 'tall.mp4', bytes: await createVideo('1080x1920') }])
    for (const { _id } of await listUploads(site, event._id)) await waitForProcessing(site, _id, event._id)
    await signIn(page, organiser)
    await page.open(`${site.frontends.url}/myevents/${event._id}`)
    await page.click({ role: 'button', name: 'View tall.mp4' })
    await page.waitFor({ role: 'dialog', name: 'tall.mp4' })
    await eventually(
      () =>
        page.evaluate<boolean>(
          `return (${String(isWholeVideoSeen)})(document.querySelector('dialog video'))`,
        ),
      'the whole video',
    )
  })

  test('When a guest comes with a code, then they enter the PIN, agree, send photos, correct their name, and continue on another device', async () => {
    const event = await newEvent(site.api, site.admin, site.organiser)
    await call(site.api, updateEvent, {
      token: site.organiser.token,
      params: { eventId: event._id },
      body: { settings: { pin: 'Tulip42', consent: { text: 'My photos may be shown.' } } },
    })
    const enterPin = async (): Promise<void> => {
      await page.type({ label: 'PIN' }, 'tulip42')
      await page.click({ role: 'button', name: 'Open event' })
    }
    const names = ['camera-gps.jpg', 'iphone-13.heic', 'orientation-6.jpg'] as const
    await page.open(site.frontends.url)
    await page.evaluate('localStorage.clear()')
    await page.type({ label: 'Enter your code' }, (event.shortCode ?? '').toLowerCase())
    await page.click({ role: 'button', name: 'Open event' })
    await enterPin()
    await page.type({ label: 'Your Name (Photo Credit)' }, 'Uncel Bo')
    await page.chooseFiles({ label: /photos and videos/ }, names.map(samplePath))
    await page.click({ label: 'My photos may be shown.' })
    await page.click({ role: 'button', name: 'Upload' })
    await page.waitFor({ text: `3 files for ${event.name}, from Uncel Bo.` })
    expect(await listHashes(event)).toEqual(await hashSamples(names))

    const own = { role: 'region', name: 'Your photos' }
    await page.click({ role: 'link', name: 'Send more' })
    await page.click({ role: 'button', name: 'Change name', within: own })
    const name = { role: 'textbox', name: 'Your Name (Photo Credit)', within: own }
    await page.read(name, 'element.select()')
    await page.type(name, 'Uncle Bo')
    await page.click({ role: 'button', name: 'Save', within: own })
    await page.waitFor({ text: 'Your photos now have the name Uncle Bo.' })
    await page.click({ role: 'button', name: 'Continue on another device', within: own })
    const link = await page.read<string>({ text: /\/mine#/ }, 'element.textContent')

    // Another device knows nothing of the guest.
    await page.evaluate('localStorage.clear()')
    await page.open(link)
    await enterPin()
    await page.waitFor({ text: 'Sent as Uncle Bo' })
    expect(await page.evaluate(`return document.querySelectorAll('[data-upload]').length`)).toBe(3)
  })

  test('When an organiser downloads all uploads, then the ZIP contains every file byte for byte', async () => {
    const names = ['animated.gif', 'iphone-13.heic', 'phone-jolla.jpg'] as const
    const organiser = await newOrganiser(site.api)
    const event = await createEventWithUploads(organiser, names)
    await signIn(page, organiser)
    await page.click({ role: 'link', name: 'My Events' })
    await page.waitFor({ role: 'heading', name: event.name })
    await page.click({ role: 'button', name: 'Download All Uploads' })
    await page.waitFor({ text: 'Downloads Ready' })
    const zip = await page.readDownload(`Event_${event._id}_Batch1.zip`)
    const entries = Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, sha256(bytes)])
    expect(entries.toSorted()).toEqual(await hashSamples(names))
  })

  test('When a click does not focus its button, as in Safari, then the focus returns to it from the enlarged QR code', async () => {
    const organiser = await newOrganiser(site.api)
    const { name } = await newEvent(site.api, site.admin, organiser)
    await signIn(page, organiser)
    await page.click({ role: 'link', name: 'My Events' })
    await page.imitateSafariClicks()
    const enlarge = { role: 'button', name: `Enlarge the QR code of ${name}` }
    await page.click(enlarge)
    await page.waitForFocus({ role: 'button', name: 'Close' })
    await page.press('Escape')
    await page.waitForFocus(enlarge)
  })

  test('When an admin creates an event, then it has the picked dates, and its QR code contains the upload link', async () => {
    await signIn(page, site.admin)
    await page.click({ role: 'link', name: 'Create Event' })
    await page.waitFor({ role: 'option', name: site.organiser.user.email })
    await page.type({ label: 'Event Name' }, 'Garden wedding')
    const users = { label: 'Assign to User' }
    // A second after a key, the browser begins another search: not all keys may arrive in time.
    await eventually(async () => {
      await page.type(users, site.organiser.user.email)
      const isChosen = (await page.read<string>(users, 'element.value')) === site.organiser.user._id
      if (!isChosen) await sleep(1_500)
      return isChosen
    }, 'the user chosen by typing')

    const start = await dayOfNextMonth(page, 12)
    await page.click({ role: 'button', name: 'Start Date, Pick a date' })
    const calendar = { role: 'dialog', name: 'Start Date' }
    await page.click({ role: 'button', name: /next month/i, within: calendar })
    await page.click({ role: 'button', name: start.label, within: calendar })
    await page.waitForFocus({ role: 'button', name: /^Start Date, .*12/ })

    // The calendar opens at the start date.
    const end = await dayOfNextMonth(page, 19)
    await page.press('Tab')
    await page.waitForFocus({ role: 'button', name: 'End Date, Pick a date' })
    await page.press('Enter')
    await page.waitForFocus({ role: 'button', name: start.label })
    await page.press('ArrowDown')
    await page.waitForFocus({ role: 'button', name: end.label })
    await page.press('Enter')
    await page.waitForFocus({ role: 'button', name: /^End Date, .*19/ })

    await page.click({ role: 'button', name: 'Create Event' })
    await page.waitFor({ text: 'Event created successfully' })
    await page.click({ role: 'link', name: 'See its QR code' })
    await page.waitFor({ role: 'heading', name: 'Garden wedding' })
    const eventId = await page.evaluate<string>(`return location.pathname.split('/').at(-1)`)
    const { body } = await call(site.api, getEvent, { token: site.admin.token, params: { eventId } })
    expect(body).toMatchObject({
      name: 'Garden wedding',
      startDate: start.date,
      endDate: end.date,
      eventFor: { email: site.organiser.user.email },
    })
    const source = await page.read<string>({ role: 'img', name: /^QR code/ }, 'element.src')
    const { data, info } = await sharp(Buffer.from(source.split(',')[1] ?? '', 'base64'))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(
      `${site.frontends.url}/upload?eventId=${eventId}`,
    )
  })

  test('When an admin deletes an upload, then the dialog has the focus, and afterwards it returns to the page', async () => {
    for (const { _id } of await listUploads(site, album._id)) await waitForProcessing(site, _id, album._id)
    await signIn(page, site.admin)
    await page.open(`${site.frontends.url}/events/${album._id}`)
    await page.click({ role: 'link', name: 'View Event Uploads' })
    await eventually(
      () => page.read<boolean>({ role: 'img', name: 'camera-gps.jpg' }, 'element.naturalWidth > 0'),
      'the thumbnail',
    )

    const deleteButton = { role: 'button', name: 'Delete camera-gps.jpg' }
    const dialog = { role: 'alertdialog', name: 'Confirm Deletion' }
    await page.click(deleteButton)
    await page.waitForFocus({ role: 'button', name: 'Cancel', within: dialog })
    await page.press('Escape')
    await page.waitForFocus(deleteButton)

    await page.imitateSafariClicks()
    await page.click(deleteButton)
    await page.waitForFocus({ role: 'button', name: 'Cancel', within: dialog })
    await page.press('Escape')
    await page.waitForFocus(deleteButton)
    await page.click(deleteButton)
    await page.waitForFocus({ role: 'button', name: 'Cancel', within: dialog })
    await page.press('Tab')
    await page.waitForFocus({ role: 'button', name: 'Delete', within: dialog })
    await page.press('Enter')
    await page.waitFor({ text: 'Upload deleted successfully' })
    await page.waitForAbsence(deleteButton)
    await page.waitForFocus({ role: 'button', name: 'View photo.webp' })
    const names = (await listUploads(site, album._id)).map(({ originalName }) => originalName)
    expect(names).toEqual(['photo.webp'])
  })
})
