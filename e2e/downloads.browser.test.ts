import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { MB, type Event, type Upload } from '@confetti/contracts'
import { eventually, newEvent, readSample, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { unzipSync } from 'fflate'
import type { Download, Page } from 'playwright-core'
import { listUploads, waitForProcessing } from './harness.ts'
import { sha256 } from './sha256.ts'
import { joinSite, type Site } from './site.ts'
import { recordTexts, toast, toasts } from './toast.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

/** Creates an event with `count` photos. Returns their hashes by the name that each has in a ZIP. */
const createEventWithPhotos = async (
  count: number,
): Promise<{ event: Event; hashes: Map<string, string> }> => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  // All have the same name, so their names in a ZIP must be made unique.
  for (let index = 0; index < count; index += 1)
    await sendFiles(site.api, event._id, [{ name: 'image.jpg', bytes: await uniquePhoto() }])
  const uploads = await listUploads(site, event._id)
  return {
    event,
    hashes: new Map(uploads.map((each) => [each.filename.split('/').at(-1) ?? '', each.sha256])),
  }
}

const readDownload = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream())
/** Returns the hashes of all files in some ZIPs, by their names. */
const hashZipEntries = async (zips: readonly Download[]): Promise<Map<string, string>> => {
  const contents = await Promise.all(
    zips.map(async (zip) => Object.entries(unzipSync(await readDownload(zip)))),
  )
  return new Map(contents.flat().map(([name, bytes]) => [name, sha256(bytes)]))
}
const recordDownloads = (page: Page): Download[] => {
  const downloads: Download[] = []
  page.on('download', (download) => downloads.push(download))
  return downloads
}
const eventCard = (page: Page, event: Event) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: event.name }) })

test('When a guest uploads a photo, then organiser and admin see it without a reload and can browse it with the keyboard', async () => {
  const { event } = await createEventWithPhotos(1)
  const organiser = await site.newPage({ account: site.organiser })
  const admin = await site.newPage({ account: site.admin })
  await organiser.goto(`/myevents/${event._id}`)
  await admin.goto(`/admin/event-uploads/${event._id}`)
  for (const page of [organiser, admin]) await page.getByText('Credit: Table 4').first().waitFor()

  const { body } = await sendFiles(
    site.api,
    event._id,
    [{ name: 'new.jpg', bytes: await uniquePhoto('phone-jolla.jpg') }],
    'The band',
  )
  for (const page of [organiser, admin]) {
    await page.getByText('Credit: The band').first().waitFor()
    await waitForProcessing(site, body.uploads[0]._id as string, event._id)
    await eventually(
      () =>
        page
          .getByRole('button', { name: 'View new.jpg' })
          .locator('img')
          .evaluateAll((images) => images.some((image) => (image as HTMLImageElement).naturalWidth > 0)),
      'its thumbnail',
    )
    await page.getByRole('button', { name: 'View new.jpg' }).click()
    await page.getByRole('dialog').getByText('1 of 2').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('dialog').getByText('2 of 2').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
})

test('When one file is downloaded, then its name and bytes are the original ones, and a failure is reported', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  const bytes = await readSample('iphone-13.heic')
  await sendFiles(site.api, event._id, [{ name: 'Sunset.HEIC', bytes }])
  const page = await site.newPage({ account: site.admin })
  await page.goto(`/admin/event-uploads/${event._id}`)
  const button = page.getByRole('button', { name: 'Download Sunset.HEIC' })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  expect(download.suggestedFilename()).toBe('Sunset.HEIC')
  expect(sha256(await readDownload(download))).toBe(sha256(bytes))

  const blobOrigin = new URL(site.blobUrl).origin
  await page.route(`${blobOrigin}/**`, (route) =>
    route.request().resourceType() === 'fetch'
      ? route.fulfill({ status: 404, headers: { 'Access-Control-Allow-Origin': '*' } })
      : route.continue(),
  )
  await button.click()
  await toast(page, 'Download Failed').waitFor()
  await page.getByText('Failed to fetch file: ').waitFor()
})

/** Lets the page believe that each file of its lists has `size` bytes. */
const reportSize = (page: Page, size: number) =>
  page.route('**/api/myevents/uploads/**', async (route) => {
    const response = await route.fetch()
    // Nothing has changed since the last answer.
    if (response.status() === 304) return route.fulfill({ response })
    const list = (await response.json()) as { uploads: Upload[] }
    await route.fulfill({
      response,
      json: { ...list, uploads: list.uploads.map((upload) => ({ ...upload, size })) },
    })
  })

describe('When an event has more photos than the smallest batch', () => {
  let event: Event
  let hashes: Map<string, string>
  beforeAll(async () => {
    ;({ event, hashes } = await createEventWithPhotos(11))
  })

  test('and an organiser downloads all uploads, then ZIPs of the chosen batch size contain every file byte for byte', async () => {
    const page = await site.newPage({ account: site.organiser })
    const zips = recordDownloads(page)
    await page.goto('/myevents')
    const card = eventCard(page, event)
    expect(await page.getByRole('radio', { name: '100' }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: '10', exact: true }).check()
    const waitForText = await recordTexts(card)
    const waitForToast = await recordTexts(toasts(page))
    await card.getByRole('button', { name: 'Download All Uploads' }).click()
    await waitForText('Downloading...')
    for (const text of ['Batch 1 of 2', 'Batch 2 of 2', 'Downloads Ready']) await waitForToast(text)
    for (const name of ['Batch 1', 'Batch 2'])
      expect(await card.getByRole('progressbar', { name }).getAttribute('aria-valuenow')).toBe('100')

    expect(zips.map((zip) => zip.suggestedFilename())).toEqual([
      `Event_${event._id}_Batch1.zip`,
      `Event_${event._id}_Batch2.zip`,
    ])
    expect(await hashZipEntries(zips)).toEqual(hashes)
  })

  test('and an organiser with a phone downloads large files, then a ZIP ends at 500 MB, before the batch size', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const page = await site.newPage({ account: site.organiser, ...phone })
    await reportSize(page, 60 * MB)
    const zips = recordDownloads(page)
    await page.goto('/myevents')
    await eventCard(page, event).getByRole('button', { name: 'Download All Uploads' }).click()
    await toast(page, 'Downloads Ready').waitFor()
    expect(await hashZipEntries(zips)).toEqual(hashes)
    expect(zips.map((zip) => zip.suggestedFilename())).toEqual([
      `Event_${event._id}_Batch1.zip`,
      `Event_${event._id}_Batch2.zip`,
    ])
    // The page polls on; a request must not outlive the test.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('and an admin downloads all uploads, then the ZIP code is loaded on demand and the ZIP contains every file', async () => {
    const page = await site.newPage({ account: site.admin })
    const zips = recordDownloads(page)
    const scripts = new Set<string>()
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.add(response.url())
    })
    await page.goto(`/admin/event-uploads/${event._id}`)
    await page.getByText('11 files from 1 guest').waitFor()
    expect(await page.getByRole('radio', { name: '50' }).isChecked()).toBe(true)
    const initialScriptCount = scripts.size
    const texts = ['Downloading...', 'Batch 1 of 1', 'All Downloads Complete']
    const waitForToast = await recordTexts(toasts(page))
    const photo = page.getByRole('button', { name: /^View / }).first()
    const box = await photo.boundingBox()
    await page.getByRole('button', { name: 'Download All' }).click()
    for (const text of texts) await waitForToast(text)
    await page.getByRole('progressbar', { name: 'Batch 1' }).waitFor()
    expect(await photo.boundingBox()).toEqual(box)
    expect(scripts.size).toBeGreaterThan(initialScriptCount)
    expect(await hashZipEntries(zips)).toEqual(hashes)
  })
})
