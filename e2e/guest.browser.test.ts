import { updateEvent } from '@confetti/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  call,
  eventually,
  newEvent,
  readSample,
  samplePath,
  uniquePhoto,
  type SampleName,
} from '@confetti/test-kit'
import { devices, type Page, type Request } from 'playwright-core'
import sharp from 'sharp'
import { chooseLanguage, LANGUAGES } from './choose-language.ts'
import { listUploads } from './harness.ts'
import { lengthenTimers } from './long-timers.ts'
import { sha256 } from './sha256.ts'
import { joinSite, type Site } from './site.ts'
import { findUnreadableTexts, setWidth } from './text-layout.ts'
import { toast } from './toast.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

/** After so long the page does without the frame of a video. */
const VIDEO_FRAME_TIMEOUT_MS = 5_000
const phone = { viewport: { width: 375, height: 740 } }

/** Opens the upload page of an event on a phone and fills in the name of the guest. */
const openUploadPage = async (eventId: string, name = 'Table 9'): Promise<Page> => {
  const page = await site.newPage(phone)
  await page.goto(`/upload?eventId=${eventId}`)
  await page.getByLabel('Your Name (Photo Credit)').fill(name)
  return page
}
const createEvent = () => newEvent(site.api, site.admin, site.organiser)
const selectFiles = (page: Page, files: Parameters<Page['setInputFiles']>[1]) =>
  page.setInputFiles('input[type=file]', files)
const createPhoto = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await uniquePhoto() })
const startUpload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true }).click()
/** Closes the page, expects that the browser asks for confirmation, and stays. */
const expectQuestionBeforeClosing = async (page: Page): Promise<void> => {
  const dialogOpened = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await dialogOpened
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
}
// "Your photos", below the form, has the files that were sent, too.
const fileRow = (page: Page, name: string) =>
  page.locator('form').getByRole('listitem').filter({ hasText: name })

test('When a guest uploads photos, a HEIC and a video, then all are stored byte for byte and the thank-you page is shown', async () => {
  const event = await createEvent()
  const names: SampleName[] = ['phone-jolla.jpg', 'iphone-13.heic', 'photo.webp', 'gradient.png', 'video.mov']
  const page = await openUploadPage(event._id)
  await selectFiles(page, names.map(samplePath))
  // Not the inner text: a browser may not have rendered what is in the rows yet.
  const rows = await page.getByRole('listitem').allTextContents()
  expect(rows.map(([number]) => number)).toEqual(['1', '2', '3', '4', '5'])
  expect(rows[1]).toContain('2.08 MB')

  await startUpload(page)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  await toast(page, 'Media uploaded successfully.').waitFor()
  await page.getByText('Your files have been uploaded successfully.').waitFor()
  await page.getByText(`5 files for ${event.name}, from Table 9.`).waitFor()

  const uploads = await listUploads(site, event._id)
  const sent = await Promise.all(names.map(async (name) => [name, sha256(await readSample(name)), 'Table 9']))
  const stored = uploads.map((each) => [each.originalName, each.sha256, each.photoCredit])
  expect(stored.toSorted()).toEqual(sent.toSorted())

  await page.getByRole('link', { name: 'Send more' }).click()
  await page.getByRole('heading', { name: event.name }).waitFor()
  expect(await page.getByLabel('Your Name (Photo Credit)').inputValue()).toBe('Table 9')
})

test('When files were refused when chosen or by the server, then the thank-you page still names each with its reason', async () => {
  const event = await createEvent()
  const page = await openUploadPage(event._id)
  const unsupported = { name: 'seating.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
  // A JPEG-LS. Only the server tells it from a JPEG.
  const invalid = {
    name: 'holiday.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('\xff\xd8\xff\xf7', 'latin1'),
  }
  await selectFiles(page, [await createPhoto('one.jpg'), unsupported])
  await startUpload(page)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  await page.getByText('Your files have been uploaded successfully.').waitFor()
  await page.getByText(`1 file for ${event.name}, from Table 9.`).waitFor()
  await page.getByText("1 file wasn't sent.").waitFor()
  const refused = page.getByRole('listitem')
  expect((await refused.innerText()).split(/\n+/)).toEqual(['seating.pdf', "This file type isn't supported."])
  await page.reload()
  await refused.waitFor()

  await page.getByRole('link', { name: 'Send more' }).click()
  await selectFiles(page, [await createPhoto('two.jpg'), invalid, unsupported])
  await startUpload(page)
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.getByText("2 files weren't sent.").waitFor()
  const names = (await refused.allInnerTexts()).map((text) => text.split('\n')[0])
  expect(names).toEqual(['holiday.jpg', 'seating.pdf'])
})

test('When the name of an event is long, then neither confetti nor the choice of the language is over it', async () => {
  const event = await createEvent()
  const page = await site.newPage(phone)
  const name = 'Golden wedding of Wilhelmina and Maximilian von Sonnenburg'
  await page.route(`**/api/events/${event._id}?*`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), name } })
  })
  await page.goto(`/upload?eventId=${event._id}`)
  await page.getByRole('heading', { name }).waitFor()
  for (const width of [320, 390, 768]) {
    await setWidth(page, width)
    for (const language of LANGUAGES) {
      await chooseLanguage(page, language)
      expect([width, language, await findUnreadableTexts(page)]).toEqual([width, language, []])
    }
  }
})

test('When the window ends at the zone for files, then nothing covers what adds photos', async () => {
  const event = await createEvent()
  const page = await openUploadPage(event._id)
  const input = page.getByLabel('Add photos and videos')
  const { y = 0, height = 0 } = (await input.boundingBox()) ?? {}
  await page.setViewportSize({ width: 375, height: Math.round(y + height) })
  await page.evaluate('scrollTo(0, 0)')
  // Playwright clicks only where the element gets the click.
  await input.click({ trial: true, timeout: 5_000, position: { x: 100, y: height - 20 } })
  expect(await page.evaluate('scrollY')).toBe(0)
})

test('When the chooser is open while the last file is sent, then what is chosen in it is sent, too', async () => {
  const event = await createEvent()
  const page = await openUploadPage(event._id)
  const unblocked = Promise.withResolvers<undefined>()
  await page.route('**/api/uploads/tickets*', async (route) => {
    await unblocked.promise
    await route.continue()
  })
  await selectFiles(page, [await createPhoto('one.jpg')])
  await startUpload(page)
  await page.getByText('keep this page open').waitFor()
  const chooserOpened = page.waitForEvent('filechooser')
  await page.getByLabel('Add more photos and videos').click()
  const chooser = await chooserOpened
  unblocked.resolve(undefined)
  await fileRow(page, 'one.jpg').getByText('Sent').waitFor()
  await chooser.setFiles([await createPhoto('two.jpg')])
  await fileRow(page, 'two.jpg').waitFor()
  await startUpload(page)
  await page.getByText(`2 files for ${event.name}, from Table 9.`).waitFor()
  expect(await listUploads(site, event._id)).toHaveLength(2)
})

test('When Upload is pressed without files, then the chooser opens, and what is chosen in it is in the list', async () => {
  const event = await createEvent()
  const page = await openUploadPage(event._id)
  const chooserOpened = page.waitForEvent('filechooser')
  await startUpload(page)
  const chooser = await chooserOpened
  await toast(page, 'Please select at least one file.').waitFor()
  await chooser.setFiles([await createPhoto('one.jpg')])
  await fileRow(page, 'one.jpg').waitFor()
  await toast(page, 'Please select at least one file.').waitFor({ state: 'detached' })
})

test('When a file has an unknown ending and no type, then its first bytes decide', async () => {
  const event = await createEvent()
  const page = await openUploadPage(event._id)
  const file = (name: string, buffer: Buffer, mimeType = '') => ({ name, mimeType, buffer })
  const heic = await readSample('small.heif')
  const video = await readSample('video.mp4')
  // As an Android phone writes it: another major brand, at byte 8.
  const video3gp = Buffer.concat([video.subarray(0, 8), Buffer.from('3gp4'), video.subarray(12)])
  const avif = Buffer.concat([heic.subarray(0, 8), Buffer.from('avif'), heic.subarray(12)])
  await selectFiles(page, [
    file('DSC00001.HIF', heic),
    file('photo.jfif', await uniquePhoto()),
    file('1000000042', await readSample('photo.webp'), 'application/octet-stream'),
    file('VID_0001.3gp', video3gp, 'video/3gpp'),
    file('notes.hif', Buffer.from('These are no bytes of a photo.')),
    file('new.avif', avif, 'image/avif'),
    file('dance.mp4', Buffer.from('\x1aE\xdf\xa3\x93B\x82\x88matroska', 'latin1'), 'video/mp4'),
  ])
  await fileRow(page, 'notes.hif').getByText("This file type isn't supported.").waitFor()
  await fileRow(page, 'new.avif')
    .getByText(/^AVIF photos aren't supported\./)
    .waitFor()
  await fileRow(page, 'dance.mp4')
    .getByText(/^This video format isn't supported\./)
    .waitFor()
  expect(await page.getByText(/(is|are)n't supported\./).count()).toBe(3)
  expect(await page.getByRole('listitem').locator('bdi').allTextContents()).toEqual([
    // Files of a supported ending are in the list before the bytes of the others are read.
    ...['dance.mp4', 'DSC00001.HIF', 'photo.jfif', '1000000042', 'VID_0001.3gp', 'notes.hif', 'new.avif'],
  ])

  await startUpload(page)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  const stored = await listUploads(site, event._id)
  expect(stored.map(({ originalName }) => originalName).toSorted()).toEqual([
    ...['1000000042', 'DSC00001.HIF', 'VID_0001.3gp', 'photo.jfif'],
  ])
})

test('When the server is busy, then the page shows it, waits for Retry-After, and sends at most three files at once', async () => {
  const event = await createEvent()
  const page = await openUploadPage(event._id)
  let isBusy = true
  await page.route('**/api/uploads/tickets*', async (route) => {
    if (route.request().method() !== 'POST' || !isBusy) return route.continue()
    await route.fulfill({
      status: 503,
      headers: {
        'Retry-After': '1',
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': '*',
      },
      json: { message: 'Too busy.', code: 'busy', requestId: 'r' },
    })
  })
  await page.evaluate(() => {
    const counter = window as typeof window & { maxConcurrent: number }
    counter.maxConcurrent = 0
    const count = (): void => {
      const current = document.querySelectorAll('li [role=progressbar]').length
      counter.maxConcurrent = Math.max(counter.maxConcurrent, current)
    }
    new MutationObserver(count).observe(document.body, { subtree: true, childList: true })
  })
  await selectFiles(
    page,
    await Promise.all(Array.from({ length: 6 }, (_, index) => createPhoto(`${index}.jpg`))),
  )
  await startUpload(page)
  await page.getByText('The server is busy. Sending will resume automatically.').first().waitFor()
  isBusy = false
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  expect(await listUploads(site, event._id)).toHaveLength(6)
  expect(await page.evaluate(() => (window as typeof window & { maxConcurrent: number }).maxConcurrent)).toBe(
    3,
  )
})

test('When a guest leaves while files are being sent, then the page asks for confirmation, and sending continues if they stay', async () => {
  const event = await createEvent()
  const page = await site.newPage(phone)
  await page.goto('/')
  await page.goto(`/upload?eventId=${event._id}`)
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  const unblocked = Promise.withResolvers<undefined>()
  await page.route('**/api/uploads/tickets*', async (route) => {
    await unblocked.promise
    await route.continue()
  })
  await selectFiles(page, [await createPhoto('slow.jpg')])
  await startUpload(page)
  await page.getByText('keep this page open').waitFor()

  await page.evaluate(() => history.back())
  await page.getByRole('dialog', { name: 'Leave while files are being sent?' }).waitFor()
  await page.getByRole('button', { name: 'Stay' }).click()

  await expectQuestionBeforeClosing(page)
  unblocked.resolve(undefined)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
})

test('When a guest leaves in a tab without history, then the landing page shows the progress, and asks before it is closed', async () => {
  const event = await createEvent()
  const opener = await site.newPage(phone)
  await opener.goto('/')
  const unblocked = Promise.withResolvers<undefined>()
  await opener.context().route('**/api/uploads/tickets*', async (route) => {
    await unblocked.promise
    await route.continue()
  })
  const newTab = opener.context().waitForEvent('page')
  await opener.evaluate((id) => void window.open(`/upload?eventId=${id}`, '_blank', 'noopener'), event._id)
  const page = await newTab
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  expect(await page.evaluate(() => history.length)).toBe(1)
  await selectFiles(page, [await createPhoto('left.jpg')])
  await startUpload(page)
  await page.getByText('keep this page open').waitFor()

  await page.evaluate(() => history.back())
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  // The upload page shows the progress, too, while the code of the landing page loads.
  const notice = page.getByRole('complementary', { name: 'Your upload' })
  await notice.getByText('Sending 1 of 1').waitFor()
  await expectQuestionBeforeClosing(page)
  unblocked.resolve(undefined)
  await page.getByRole('link', { name: 'Finish' }).click()
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  expect(await listUploads(site, event._id)).toHaveLength(1)
})

test('When a member opens the guest page, then it sends the guest token and not the access token', async () => {
  const event = await createEvent()
  const page = await site.newPage({ ...phone, account: site.organiser })
  const headers: Record<string, string>[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(site.api) && request.method() !== 'OPTIONS')
      headers.push({ url: request.url(), ...request.headers() })
  })
  await page.goto(`/upload?eventId=${event._id}`)
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  await selectFiles(page, [await createPhoto('photo.jpg')])
  await startUpload(page)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  // The event, the ticket and the completion.
  expect(headers).toHaveLength(3)
  expect(headers.some((each) => 'authorization' in each)).toBe(false)
  expect(headers[1]).toHaveProperty('x-guest-token')
  expect(headers[2]).toHaveProperty('x-guest-token')
})

test("When a guest opens the page, then its inline script requests the event as the page's code does, and only it does", async () => {
  const event = await createEvent()
  const path = `/api/events/${event._id}`
  const openPage = async (script: string) => {
    const page = await site.newPage(phone)
    await page.addInitScript(script)
    const requests: Request[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === path && request.method() === 'GET') requests.push(request)
    })
    await page.goto(`/upload?eventId=${event._id}`)
    await page.getByRole('heading', { name: event.name }).waitFor()
    return requests
  }
  expect(await openPage('')).toHaveLength(1)
  // The code does not find the response, and sends its own request.
  const [ofScript, ofCode] = await openPage(
    `Object.defineProperty(window, 'prefetched', { get: () => undefined, set: () => undefined })`,
  )
  expect(ofCode?.headers()).toEqual(ofScript?.headers())
  expect([...new URL(ofScript?.url() ?? '').searchParams.keys()]).toEqual(['_ts'])
})

test('When 200 photos are selected, then all are listed and the visible rows get previews', async () => {
  const page = await openUploadPage((await createEvent())._id)
  // A small one: all of them are sent to the browser.
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background: 'plum' } })
  const photo = { mimeType: 'image/jpeg', buffer: await image.jpeg().toBuffer() }
  await selectFiles(
    page,
    Array.from({ length: 200 }, (_, index) => ({ ...photo, name: `party-${index}.jpg` })),
  )
  await fileRow(page, 'party-199.jpg').waitFor()
  expect(await page.getByRole('listitem').count()).toBe(200)
  await eventually(
    async () => (await page.locator('li img, li canvas').count()) > 0,
    'a preview among the first rows',
  )
})

test('When videos are selected, then each row shows a frame of its video', async () => {
  const page = await openUploadPage((await createEvent())._id)
  await lengthenTimers(page, VIDEO_FRAME_TIMEOUT_MS)
  await page.reload()
  await selectFiles(page, [samplePath('video.mp4'), samplePath('video.mov')])
  const countDrawnCanvases = (): Promise<number> =>
    page.locator('li canvas').evaluateAll((canvases) => {
      const opaque = (canvas: Element): boolean =>
        (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(56, 56, 1, 1).data[3] === 255
      return canvases.filter(opaque).length
    })
  await eventually(async () => (await countDrawnCanvases()) === 2, 'a frame of each video')
})

test('When the upload page is in the browser of an app, then a hint copies the link, can be closed, and blocks nothing', async () => {
  const event = await createEvent()
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 390.0.0.21.81 (iPhone14,5; iOS 18_6; de_DE; de)'
  const page = await site.newPage({ ...phone, userAgent, permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${new URL(event.shortUrl ?? '').pathname}#key`)
  const hint = page.getByRole('region', { name: 'Open in your browser' })
  await hint.getByText('can fail inside Instagram').waitFor()
  await setWidth(page, 320)
  expect(await findUnreadableTexts(page)).toEqual([])
  await hint.getByRole('button', { name: 'Copy link' }).click()
  await hint.getByText('Link copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${event.uploadUrl}#key`)
  await hint.getByRole('button', { name: 'Close' }).click()
  await hint.waitFor({ state: 'detached' })
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  await selectFiles(page, await createPhoto('cake.jpg'))
  await startUpload(page)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  await page.goto(`/upload?eventId=${event._id}`)
  await page.getByLabel('Your Name (Photo Credit)').waitFor()
  expect(await hint.count()).toBe(0)
})

test('When an event has a PIN, then a guest types it or opens a link with its key, and sends photos', async () => {
  const event = await createEvent()
  const { status, body } = await call(site.api, updateEvent, {
    token: site.organiser.token,
    params: { eventId: event._id },
    body: { settings: { pin: 'Tulip42' } },
  })
  expect(status).toBe(200)
  const path = `/upload?eventId=${event._id}`
  const page = await site.newPage(phone)
  await page.goto(path)
  await page.getByRole('heading', { name: event.name }).waitFor()
  const field = page.getByLabel('PIN')
  await field.fill('Rose1234')
  await page.getByRole('button', { name: 'Open event' }).click()
  await page.getByText('This PIN is wrong.').waitFor()
  await setWidth(page, 320)
  expect(await findUnreadableTexts(page)).toEqual([])
  // Upper and lower case are the same.
  await field.fill('tulip42')
  await page.getByRole('button', { name: 'Open event' }).click()
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  await selectFiles(page, await createPhoto('cake.jpg'))
  await startUpload(page)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  expect((await listUploads(site, event._id)).map(({ originalName }) => originalName)).toEqual(['cake.jpg'])
  // The pass is kept.
  await page.goto(path)
  await page.getByLabel('Your Name (Photo Credit)').waitFor()

  const other = await site.newPage(phone)
  const link = new URL(body.event.uploadUrl)
  expect(link.hash).toMatch(/^#key=[\w-]{16}$/)
  await other.goto(link.pathname + link.search + link.hash)
  await other.getByLabel('Your Name (Photo Credit)').waitFor()
  expect(new URL(other.url()).hash).toBe('')
})

/** What an iPhone has, and Chromium lacks here: a share sheet. Files that are given to it are read there, and kept. */
const addShareSheet = async (
  page: Page,
): Promise<(count: number) => Promise<{ name: string; bytes: Buffer }[]>> => {
  const shared: { name: string; bytes: Buffer }[] = []
  await page.exposeFunction('keepShared', (name: string, bytes: number[]) => {
    shared.push({ name, bytes: Buffer.from(bytes) })
  })
  await page.addInitScript(() => {
    const { keepShared } = window as unknown as {
      keepShared: (name: string, bytes: number[]) => Promise<void>
    }
    Object.assign(navigator, {
      canShare: ({ files = [] }: ShareData) => files.length > 0,
      share: async ({ files = [] }: ShareData) => {
        for (const file of files) await keepShared(file.name, [...new Uint8Array(await file.arrayBuffer())])
      },
    })
  })
  return async (count) => {
    await eventually(() => shared.length === count, 'the share sheet')
    return shared.splice(0)
  }
}

test('When a guest comes with a code, then they enter the PIN, agree, send photos, correct their name, save two photos, and continue on another device', async () => {
  const event = await createEvent()
  const { status } = await call(site.api, updateEvent, {
    token: site.organiser.token,
    params: { eventId: event._id },
    body: { settings: { pin: 'Tulip42', consent: { text: 'My photos may be shown.' }, gallery: 'on' } },
  })
  expect(status).toBe(200)
  const enterPin = async (page: Page): Promise<void> => {
    await page.getByLabel('PIN').fill('tulip42')
    await page.getByRole('button', { name: 'Open event' }).click()
  }
  const page = await site.newPage(devices['iPhone 13'])
  const readShared = await addShareSheet(page)

  await page.goto('/')
  const code = event.shortCode ?? ''
  await page.getByLabel('Enter your code').fill(`${code.slice(0, 4)} ${code.slice(4)}`.toLowerCase())
  await page.getByRole('button', { name: 'Open event' }).click()
  await enterPin(page)
  await page.getByLabel('Your Name (Photo Credit)').fill('Uncel Bo')
  const names = ['one.jpg', 'two.jpg', 'three.jpg']
  const photos = names.map(async (name) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: await uniquePhoto('camera-gps.jpg'),
  }))
  await selectFiles(page, await Promise.all(photos))
  await startUpload(page)
  await page.getByText('Please tick this box before you send.').waitFor()
  await page.getByLabel('My photos may be shown.').check()
  await startUpload(page)
  await page.getByText(`3 files for ${event.name}, from Uncel Bo.`).waitFor()

  await page.getByRole('link', { name: 'Send more' }).click()
  const own = page.getByRole('region', { name: 'Your photos' })
  await own.getByRole('button', { name: 'Change name' }).click()
  await own.getByLabel('Your Name (Photo Credit)').fill('Uncle Bo')
  await own.getByRole('button', { name: 'Save', exact: true }).click()
  await toast(page, 'Your photos now have the name Uncle Bo.').waitFor()

  await page.getByRole('link', { name: "See everyone's photos" }).first().click()
  const tiles = page.getByRole('button', { name: /^Photo by Uncle Bo/ })
  await eventually(async () => (await tiles.count()) === names.length, 'the photos in the gallery')
  await page.getByRole('button', { name: 'Choose photos' }).click()
  await tiles.nth(0).click()
  await tiles.nth(2).click()
  await page.getByText('Chosen: 2').waitFor()
  await page.getByRole('button', { name: 'Share or save' }).click()
  const shared = await readShared(2)
  expect(shared.map(({ name }) => name)).toEqual(['Uncle Bo.jpg', 'Uncle Bo.jpg'])
  for (const { bytes } of shared) {
    expect((await sharp(bytes).metadata()).format).toBe('jpeg')
    // The originals have it.
    expect(bytes.includes('GPS')).toBe(false)
  }

  await page.getByRole('link', { name: 'Send photos' }).click()
  await own.getByRole('button', { name: 'Continue on another device' }).click()
  const link = new URL(await own.getByText('/mine#').innerText())
  expect(link.hash).toMatch(/^#[\w-]{43}$/)
  const other = await site.newPage()
  await other.goto(link.pathname + link.hash)
  await enterPin(other)
  const ownElsewhere = other.getByRole('region', { name: 'Your photos' })
  await ownElsewhere.getByText('Sent as Uncle Bo').waitFor()
  expect(await ownElsewhere.getByRole('listitem').count()).toBe(names.length)
  await own.getByRole('button', { name: 'End all links' }).click()
  await toast(page, 'The links have ended. They open nothing anymore.').waitFor()
  await other.reload()
  await other.getByText('Create a new one on the device that the photos were sent from.').waitFor()

  const uploads = await listUploads(site, event._id)
  expect(uploads.map(({ originalName }) => originalName).toSorted()).toEqual(names.toSorted())
  expect(new Set(uploads.map(({ photoCredit }) => photoCredit))).toEqual(new Set(['Uncle Bo']))
  expect(uploads.every(({ consent }) => consent)).toBe(true)
})
