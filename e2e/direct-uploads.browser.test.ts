import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  eventually,
  newEvent,
  readSample,
  samplePath,
  sendFiles,
  uniquePhoto,
  type SampleName,
} from '@confetti/test-kit'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { listUploads } from './harness.ts'
import { sha256 } from './sha256.ts'
import { joinSite, type Site } from './site.ts'
import { waitUntilAllSent, waitUntilTabWaits, waitUntilUnsent } from './unsent-page.ts'

let site: Site
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-videos-'))
  site = await joinSite()
})
afterAll(async () => {
  await site.stop()
  await rm(folder, { recursive: true, force: true })
})

const MB = 1_048_576
const BLOCK_BYTES = 4 * MB

const createEvent = () => newEvent(site.api, site.admin, site.organiser)
const openUploadPage = async (page: Page, eventId: string): Promise<void> => {
  await page.goto(`/upload?eventId=${eventId}`)
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 9')
}
const selectFiles = (page: Page, files: Parameters<Page['setInputFiles']>[1]) =>
  page.setInputFiles('input[type=file]', files)
const startUpload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true }).click()
const waitForThankYou = (page: Page) => page.getByRole('heading', { name: 'Thank You!' }).waitFor()
const hashesOf = async (eventId: string): Promise<string[]> =>
  (await listUploads(site, eventId)).map((upload) => upload.sha256).toSorted()

const isPut = (request: Request): boolean => request.method() === 'PUT'
const isMultipart = (request: Request): boolean =>
  request.method() === 'POST' && new URL(request.url()).pathname === '/api/uploads'
const isTicketRequest = (request: Request): boolean =>
  request.method() === 'POST' && new URL(request.url()).pathname === '/api/uploads/tickets'
const isCompletion = (request: Request): boolean =>
  request.method() === 'POST' && new URL(request.url()).pathname === '/api/uploads/completions'
const isResumption = (request: Request): boolean =>
  request.method() === 'POST' && new URL(request.url()).pathname === '/api/uploads/resumptions'
const blockIdOf = (request: Request): string | null => new URL(request.url()).searchParams.get('blockid')

/** Records the requests of a page, or of all pages of a context. */
const recordRequests = (source: Page | BrowserContext): Request[] => {
  const requests: Request[] = []
  source.on('request', (request: Request) => void requests.push(request))
  return requests
}

/** Creates a video of `megabytes` MB: a sample, with bytes after it that players ignore and that differ each time. */
const createVideo = async (name: string, megabytes: number) => {
  const sample = await readSample('video.mp4')
  const buffer = Buffer.alloc(megabytes * MB)
  sample.copy(buffer)
  // A box of the type `free`, up to the end of the file.
  buffer.writeUInt32BE(buffer.length - sample.length, sample.length)
  buffer.write('free', sample.length + 4, 'latin1')
  for (let offset = sample.length + 8; offset + 8 <= buffer.length; offset += 4_096)
    buffer.writeDoubleLE(Math.random(), offset)
  const path = join(folder, name)
  // Playwright takes no larger files from memory.
  await writeFile(path, buffer)
  return { path, buffer }
}

const limitNetwork = async (page: Page) => {
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  return ({ offline = false, bytesPerSecond = -1 }) =>
    network.send('Network.emulateNetworkConditions', {
      offline,
      latency: 5,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    })
}

/** Waits until the progress of the only file has reached a percentage. */
const waitForPercent = (page: Page, percent: number): Promise<unknown> =>
  page.waitForFunction((minimum) => {
    const bar = document.querySelector('li [role=progressbar]')
    return Number(bar?.getAttribute('aria-valuenow')) >= minimum
  }, percent)

test('When a guest uploads photos, a HEIC and videos, then the bytes go to blob storage only, and are stored byte for byte', async () => {
  const event = await createEvent()
  const page = await site.newPage()
  const requests = recordRequests(page)
  await openUploadPage(page, event._id)
  const names: SampleName[] = ['phone-jolla.jpg', 'iphone-13.heic', 'video.mov', 'video.mp4']
  const video = await createVideo('dance.mp4', 21)
  await selectFiles(page, names.map(samplePath))
  await selectFiles(page, video.path)
  await startUpload(page)
  await waitForThankYou(page)
  const expected = await Promise.all(names.map(async (name) => sha256(await readSample(name))))
  expect(await hashesOf(event._id)).toEqual([...expected, sha256(video.buffer)].toSorted())
  expect(requests.filter(isMultipart)).toEqual([])
  const puts = requests.filter(isPut)
  expect(puts.filter((request) => blockIdOf(request) === null)).toHaveLength(4)
  expect(puts.filter((request) => blockIdOf(request) !== null)).toHaveLength(6)
  expect(puts.some((request) => request.url().startsWith(site.api))).toBe(false)
  // Large files are hashed by the worker, which the Content-Security-Policy has to allow.
  const declared = requests.filter(isCompletion).flatMap((request) => {
    const { tickets } = request.postDataJSON() as { tickets: { sha256?: string }[] }
    return tickets.map((ticket) => ticket.sha256)
  })
  expect(declared.toSorted()).toEqual([...expected, sha256(video.buffer)].toSorted())
  expect(requests.filter(isTicketRequest)).toHaveLength(1)
})

test('When a guest sends a file that the browser has sent before, then its bytes are not sent again', async () => {
  const event = await createEvent()
  const page = await site.newPage()
  const buffer = await uniquePhoto()
  const send = async (name: string): Promise<void> => {
    await openUploadPage(page, event._id)
    await selectFiles(page, [{ name, mimeType: 'image/jpeg', buffer }])
    await startUpload(page)
    await waitForThankYou(page)
  }
  await send('first.jpg')
  // Only a hash that has been verified counts before the bytes are there.
  await eventually(async () => (await listUploads(site, event._id))[0]?.status === 'ready', 'the photo')
  const requests = recordRequests(page)
  await send('second.jpg')
  expect(requests.filter(isPut)).toEqual([])
  expect(await listUploads(site, event._id)).toHaveLength(1)
})

test('When a guest sends a file that the event has already from elsewhere, then it is stored once', async () => {
  const event = await createEvent()
  const page = await site.newPage()
  const buffer = await uniquePhoto()
  const requests = recordRequests(page)
  // By multipart, because the service computes the hash itself then.
  await sendFiles(site.api, event._id, [{ name: 'first.jpg', bytes: buffer }], 'Table 9')
  await openUploadPage(page, event._id)
  await selectFiles(page, [{ name: 'second.jpg', mimeType: 'image/jpeg', buffer }])
  await startUpload(page)
  await waitForThankYou(page)
  expect(requests.filter(isTicketRequest)).toHaveLength(1)
  expect(await listUploads(site, event._id)).toHaveLength(1)
})

test('When the connection breaks within a video of 24 MB, then at most two blocks are sent again', async () => {
  const event = await createEvent()
  const page = await site.newPage()
  const requests = recordRequests(page)
  await openUploadPage(page, event._id)
  const video = await createVideo('speech.mp4', 24)
  await selectFiles(page, video.path)
  const setNetwork = await limitNetwork(page)
  // So slow that even a block alone takes longer than the ones after which more are sent at once.
  await setNetwork({ bytesPerSecond: 2 * MB })
  await startUpload(page)
  await waitForPercent(page, 40)
  let failedPuts = 0
  page.on('requestfailed', (request) => {
    if (isPut(request)) failedPuts += 1
  })
  await setNetwork({ offline: true })
  const offlineFrom = requests.length
  await page.getByText("You're offline.").first().waitFor()
  await eventually(() => Promise.resolve(failedPuts > 0), 'a block that fails')
  // They fail or are cancelled before a byte of them is sent.
  const startedOffline = new Set(requests.slice(offlineFrom))
  await setNetwork({})
  await waitForThankYou(page)
  expect(await hashesOf(event._id)).toEqual([sha256(video.buffer)])
  expect(requests.filter(isMultipart)).toEqual([])
  const blockPuts = requests.filter(isPut).filter((request) => blockIdOf(request) !== null)
  const blocks = Math.ceil(video.buffer.length / BLOCK_BYTES)
  expect(blockPuts.length).toBeGreaterThan(blocks)
  // An attempt that failed while the device was offline sent nothing.
  const started = blockPuts.filter(
    (request) =>
      !startedOffline.has(request) && request.failure()?.errorText !== 'net::ERR_INTERNET_DISCONNECTED',
  )
  expect(started.length).toBeLessThanOrEqual(blocks + 2)
})

test('When the page is reloaded while files are being sent, then the guest continues without choosing them again', async () => {
  const event = await createEvent()
  const page = await site.newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  const arrived: Request[] = []
  page.on('requestfinished', (request) => {
    if (isPut(request)) arrived.push(request)
  })
  await openUploadPage(page, event._id)
  const video = await createVideo('toast.mp4', 24)
  const photo = { name: 'late.jpg', mimeType: 'image/jpeg', buffer: await uniquePhoto() }
  await selectFiles(page, video.path)
  const setNetwork = await limitNetwork(page)
  await setNetwork({ bytesPerSecond: 2 * MB })
  await startUpload(page)
  await eventually(() => arrived.length > 0, 'a block that has arrived')
  await setNetwork({ offline: true })
  await page.getByText("You're offline.").first().waitFor()
  await waitUntilUnsent(page, 1)
  const arrivedBlocks = arrived.length
  // So slow that no further block arrives before the reload.
  await setNetwork({ bytesPerSecond: 1_000 })
  const requests = recordRequests(page)
  // Before the reload, the page has started again with the blocks that were in flight.
  page.once('framenavigated', () => void requests.splice(0))
  await page.reload()
  await page.getByText('keep this page open').waitFor()
  // While the network is slow: the page goes on when the video has been sent.
  await selectFiles(page, [photo])
  await page.getByRole('listitem').filter({ hasText: photo.name }).waitFor()
  await setNetwork({})
  await waitForThankYou(page)
  expect(await hashesOf(event._id)).toEqual([sha256(video.buffer), sha256(photo.buffer)].toSorted())
  expect(requests.filter(isResumption)).toHaveLength(1)
  const blocks = Math.ceil(video.buffer.length / BLOCK_BYTES)
  const sentAgain = requests.filter(isPut).filter((request) => blockIdOf(request) !== null)
  expect(arrivedBlocks).toBeGreaterThan(0)
  // A block may have arrived although its response did not.
  expect(sentAgain.length).toBeLessThanOrEqual(blocks - arrivedBlocks)
  await waitUntilAllSent(page)
})

test('When another tab is sending files, then a second tab of the event does not offer them', async () => {
  const event = await createEvent()
  const page = await site.newPage()
  await openUploadPage(page, event._id)
  const unblocked = Promise.withResolvers<undefined>()
  await page.route('**/*', async (route) => {
    if (isPut(route.request())) await unblocked.promise
    await route.continue()
  })
  await selectFiles(page, [{ name: 'slow.jpg', mimeType: 'image/jpeg', buffer: await uniquePhoto() }])
  await startUpload(page)
  await page.getByText('keep this page open').waitFor()
  await waitUntilUnsent(page, 1)
  const secondTab = await page.context().newPage()
  await openUploadPage(secondTab, event._id)
  await waitUntilTabWaits(secondTab)
  expect(await secondTab.getByText('still to send').count()).toBe(0)
  unblocked.resolve(undefined)
  await waitForThankYou(page)
  expect(await listUploads(site, event._id)).toHaveLength(1)
})

test('When blob storage is blocked, then the files are sent by multipart', async () => {
  const event = await createEvent()
  const page = await site.newPage()
  const requests = recordRequests(page)
  await page.route('**/*', (route) =>
    isPut(route.request()) ? route.abort('connectionrefused') : route.continue(),
  )
  await openUploadPage(page, event._id)
  const photos = await Promise.all(
    [1, 2, 3].map(async (number) => ({
      name: `${number}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await uniquePhoto(),
    })),
  )
  await selectFiles(page, photos)
  await startUpload(page)
  await waitForThankYou(page)
  expect(await hashesOf(event._id)).toEqual(photos.map(({ buffer }) => sha256(buffer)).toSorted())
  expect(requests.filter(isMultipart)).toHaveLength(3)
})

test('When the answer to a PUT is lost, then the photo is completed and stored once', async () => {
  const event = await createEvent()
  const page = await site.newPage()
  let puts = 0
  await page.route('**/*', async (route) => {
    if (!isPut(route.request()) || (puts += 1) > 1) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await openUploadPage(page, event._id)
  const buffer = await uniquePhoto()
  await selectFiles(page, [{ name: 'once.jpg', mimeType: 'image/jpeg', buffer }])
  await startUpload(page)
  await waitForThankYou(page)
  expect(puts).toBe(2)
  expect(await hashesOf(event._id)).toEqual([sha256(buffer)])
})
