import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, newEvent, uniquePhoto } from '@confetti/test-kit'
import type { BrowserContext, Page } from 'playwright-core'
import { listUploads } from './harness.ts'
import { sha256 } from './sha256.ts'
import { joinSite, type Site } from './site.ts'
import { slowDownRendering } from './slow-rendering.ts'
import {
  chooseFiles,
  leaveUnsent,
  listUnsent,
  openPageWithWorker,
  openUploadPage,
  startUpload,
  syncUntilUnsent,
  visitUploadPage,
  waitUntilAllSent,
  waitUntilTabWaits,
  waitUntilUnsent,
  type ChosenFile,
} from './unsent-page.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

const createEvent = () => newEvent(site.api, site.admin, site.organiser)
const createPhoto = async (name: string): Promise<ChosenFile> => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await uniquePhoto(),
})
const openAnotherTab = async (context: BrowserContext, eventId: string): Promise<Page> => {
  const page = await context.newPage()
  await visitUploadPage(page, eventId)
  return page
}
const waitForThankYou = (page: Page) => page.getByRole('heading', { name: 'Thank You!' }).waitFor()
const row = (page: Page, { name }: ChosenFile) => page.getByRole('listitem').filter({ hasText: name })

const hashesOf = async (eventId: string): Promise<string[]> =>
  (await listUploads(site, eventId)).map((upload) => upload.sha256).toSorted()
const hashesOfFiles = (...files: ChosenFile[]): string[] =>
  files.map(({ buffer }) => sha256(buffer)).toSorted()

test('When files are chosen, also without a network, and the page is closed, then the next visit lists them, and sends each once', async () => {
  const event = await createEvent()
  const page = await openUploadPage(site, event._id)
  const context = page.context()
  const [first, second] = [await createPhoto('cake.jpg'), await createPhoto('dance.jpg')]
  await chooseFiles(page, first)
  await waitUntilUnsent(page, 1)
  await context.setOffline(true)
  await chooseFiles(page, second)
  await waitUntilUnsent(page, 2)
  await page.close()

  await context.setOffline(false)
  const nextPage = await openAnotherTab(context, event._id)
  await nextPage.getByText('2 files still to send').waitFor()
  await row(nextPage, first).waitFor()
  await row(nextPage, second).waitFor()
  expect(await hashesOf(event._id)).toEqual([])
  await nextPage.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  await startUpload(nextPage)
  await waitForThankYou(nextPage)
  expect(await hashesOf(event._id)).toEqual(hashesOfFiles(first, second))
  await waitUntilUnsent(nextPage, 0)
})

test('When the page is closed while files are being sent, then the next visit continues automatically, and each is stored once', async () => {
  const event = await createEvent()
  const page = await openUploadPage(site, event._id)
  const [sent, pending] = [await createPhoto('sent.jpg'), await createPhoto('pending.jpg')]
  await page.route('**/*', (route) =>
    route.request().method() === 'PUT' && route.request().postDataBuffer()?.equals(pending.buffer)
      ? undefined
      : route.continue(),
  )
  await chooseFiles(page, sent, pending)
  await waitUntilUnsent(page, 2)
  await startUpload(page)
  await page.locator('form').getByText('Sent', { exact: true }).waitFor()
  await waitUntilUnsent(page, 1)
  await page.close()

  // The form may be gone at once.
  const nextPage = await page.context().newPage()
  await nextPage.goto(`/upload?eventId=${event._id}`)
  await waitForThankYou(nextPage)
  expect(await hashesOf(event._id)).toEqual(hashesOfFiles(sent, pending))
})

test('When two tabs of an event are open, then the second lists the files of the first when that is closed', async () => {
  const event = await createEvent()
  const page = await openUploadPage(site, event._id)
  const photo = await createPhoto('toast.jpg')
  await chooseFiles(page, photo)
  await waitUntilUnsent(page, 1)
  const secondPage = await openAnotherTab(page.context(), event._id)
  await waitUntilTabWaits(secondPage)
  expect(await row(secondPage, photo).count()).toBe(0)

  await page.close()
  await row(secondPage, photo).waitFor()
  await secondPage.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  await startUpload(secondPage)
  await waitForThankYou(secondPage)
  expect(await hashesOf(event._id)).toEqual(hashesOfFiles(photo))
})

test('When the guest removes a file, then the next visit does not list it', async () => {
  const event = await createEvent()
  const page = await openUploadPage(site, event._id)
  const [removed, kept] = [await createPhoto('blurred.jpg'), await createPhoto('sharp.jpg')]
  await chooseFiles(page, removed, kept)
  await waitUntilUnsent(page, 2)
  await page.getByRole('button', { name: 'Remove blurred.jpg' }).click()
  await waitUntilUnsent(page, 1)
  await page.reload()
  await row(page, kept).waitFor()
  expect(await row(page, removed).count()).toBe(0)
})

test('When the browser ends the connection to its database, then later files are kept as well', async () => {
  const event = await createEvent()
  const page = await site.newPage()
  // As Safari does with pages in the background.
  await page.addInitScript(() => {
    const opened: IDBDatabase[] = []
    const open = Reflect.get(IDBFactory.prototype, 'open') as (...values: unknown[]) => IDBOpenDBRequest
    IDBFactory.prototype.open = function (this: IDBFactory, ...values) {
      const request = open.apply(this, values)
      request.addEventListener('success', () => opened.push(request.result))
      return request
    }
    Object.assign(window, { endConnections: () => opened.forEach((database) => database.close()) })
  })
  await visitUploadPage(page, event._id)
  const photos = await Promise.all(['first.jpg', 'second.jpg', 'third.jpg'].map(createPhoto))
  for (const [index, photo] of photos.entries()) {
    await chooseFiles(page, photo)
    await waitUntilUnsent(page, index + 1)
    await page.evaluate('endConnections()')
  }
  await page.reload()
  await page.getByText('3 files still to send').waitFor()
  for (const photo of photos) await row(page, photo).waitFor()
})

test('When the browser refuses its database, then files are sent without being kept', async () => {
  const event = await createEvent()
  const page = await site.newPage()
  const errors: Error[] = []
  page.on('pageerror', (error) => void errors.push(error))
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
  })
  await visitUploadPage(page, event._id)
  const photo = await createPhoto('private.jpg')
  await chooseFiles(page, photo)
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  await startUpload(page)
  await waitForThankYou(page)
  expect(await hashesOf(event._id)).toEqual(hashesOfFiles(photo))
  expect(errors).toEqual([])
})

test('When the network is back after the page was closed, then the service worker sends the files, each once', async () => {
  const event = await createEvent()
  const files = [await createPhoto('a.jpg'), await createPhoto('b.jpg')]
  const page = await leaveUnsent(site, event._id, files)
  await syncUntilUnsent(site, page, 0)
  expect(await hashesOf(event._id)).toEqual(hashesOfFiles(...files))
  await waitUntilAllSent(page)
})

test('When the server refuses a file of the service worker, then the next visit says why', async () => {
  const event = await createEvent()
  // A JPEG-LS. Only the server tells it from a JPEG.
  const fake = { name: 'fake.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('\xff\xd8\xff\xf7', 'latin1') }
  const good = await createPhoto('good.jpg')
  const page = await leaveUnsent(site, event._id, [fake, good])
  await syncUntilUnsent(site, page, 1)
  await visitUploadPage(page, event._id)
  await row(page, fake)
    .getByText(/^Only JPG, PNG, GIF, WEBP\b.+\bHEIC\b.* images and MP4 and MOV\b.* videos can be uploaded\.$/)
    .waitFor()
  expect(await hashesOf(event._id)).toEqual(hashesOfFiles(good))
  await waitUntilUnsent(page, 0)
})

test('When a page is open and sending, then the service worker does not send its files', async () => {
  const [event, laterEvent] = [await createEvent(), await createEvent()]
  const photo = await createPhoto('left.jpg')
  // Larger than the other one, which the worker would send first.
  const left = { ...photo, buffer: Buffer.concat([photo.buffer, Buffer.alloc(16)]) }
  const page = await leaveUnsent(site, laterEvent._id, [left])
  const openPage = await openAnotherTab(page.context(), event._id)
  await openPage.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  await openPage.route('**/api/uploads/**', () => undefined)
  await chooseFiles(openPage, await createPhoto('open.jpg'))
  await startUpload(openPage)
  await eventually(async () => (await listUnsent(page)).started.length === 2, 'both files in the browser')
  await waitUntilUnsent(page, 2)
  await syncUntilUnsent(site, page, 1)
  expect(await hashesOf(laterEvent._id)).toHaveLength(1)
  expect(await hashesOf(event._id)).toEqual([])
})

// Pages may post no forms, but a share comes from the phone.
const fromPhone = { bypassCSP: true }

/** Shares a photo as the phone's gallery does: by posting a form to the address in the manifest. */
const share = async (page: Page, photo: ChosenFile): Promise<void> => {
  await page.evaluate(() => {
    document.body.innerHTML =
      '<form method="post" action="/share" enctype="multipart/form-data"><input type="file" name="files"></form>'
  })
  await chooseFiles(page, photo)
  await page.evaluate(() => document.forms[0]?.submit())
}

test('When a photo is shared with the app, then the page of the last event has it in its list', async () => {
  const event = await createEvent()
  const page = await openPageWithWorker(site, event._id, fromPhone)
  const photo = await createPhoto('shared.jpg')
  await share(page, photo)
  await row(page, photo).waitFor()
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  await startUpload(page)
  await waitForThankYou(page)
  expect(await hashesOf(event._id)).toEqual(hashesOfFiles(photo))
})

test('When a photo is shared and the page is left as soon as it is shown, then the next visit has it', async () => {
  const event = await createEvent()
  const page = await openPageWithWorker(site, event._id, fromPhone)
  await slowDownRendering(page)
  const photo = await createPhoto('shared.jpg')
  await share(page, photo)
  await page.waitForURL((url) => url.searchParams.has('shared'))
  await page.getByRole('heading', { name: event.name }).waitFor()
  await page.goto('/')
  await visitUploadPage(page, event._id)
  await row(page, photo).waitFor()
})

test('When a photo is shared before any event was opened, then the page says what to do, and the next event has it', async () => {
  const event = await createEvent()
  const page = await site.newPage({ serviceWorkers: 'allow', ...fromPhone })
  // The guest leaves the page that says what to do before that is finished.
  await slowDownRendering(page)
  await page.goto('/')
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  const photo = await createPhoto('shared.jpg')
  await share(page, photo)
  await page.getByText("Scan the event's QR code").waitFor()
  await visitUploadPage(page, event._id)
  await row(page, photo).waitFor()
})

test('When a photo is shared where there is no service worker, then the upload page says what to do', async () => {
  const page = await site.newPage(fromPhone)
  await page.goto('/')
  await share(page, await createPhoto('shared.jpg'))
  await page.waitForURL('**/upload')
  await page.getByRole('heading', { name: 'Which event is it?' }).waitFor()
})
