import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Event } from '@confetti/contracts'
import { eventually, newEvent, sample, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { unzipSync } from 'fflate'
import type { Download, Page } from 'playwright-core'
import { startSite, type Site } from './site.ts'
import { sha256 } from './sha256.ts'
import { listUploads, whenProcessed } from './stand.ts'
import { toast } from './toast.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
}, 120_000)
afterAll(() => site.stop())

/** An event with `count` photos; the hashes of their bytes by the name that a zip should give each. */
const eventWith = async (count: number): Promise<{ event: Event; kept: Map<string, string> }> => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  // All have one name, so that zips have to keep them apart.
  for (let index = 0; index < count; index += 1)
    await sendFiles(site.api, event._id, [{ name: 'image.jpg', bytes: await uniquePhoto() }])
  const uploads = await listUploads(site, event._id)
  return {
    event,
    kept: new Map(uploads.map((each) => [each.filename.split('/').at(-1) ?? '', each.sha256])),
  }
}

const bytesOf = async (download: Download): Promise<Buffer> => readFile(await download.path())
const filesIn = async (zips: readonly Download[]): Promise<Map<string, string>> => {
  const contents = await Promise.all(zips.map(async (zip) => Object.entries(unzipSync(await bytesOf(zip)))))
  return new Map(contents.flat().map(([name, bytes]) => [name, sha256(bytes)]))
}
const heardDownloads = (page: Page): Download[] => {
  const downloads: Download[] = []
  page.on('download', (download) => downloads.push(download))
  return downloads
}
const cardOf = (page: Page, event: Event) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: event.name }) })

test('When an organiser downloads all, then zips of the chosen size hold every file byte for byte', async () => {
  const { event, kept } = await eventWith(12)
  const page = await site.visit({ as: site.organiser })
  const zips = heardDownloads(page)
  await page.goto('/myevents')
  const card = cardOf(page, event)
  expect(await page.getByRole('radio', { name: '100' }).isChecked()).toBe(true)
  await page.getByRole('radio', { name: '10', exact: true }).check()
  await card.getByRole('button', { name: 'Download All Uploads' }).click()
  await card.getByRole('button', { name: 'Downloading...' }).waitFor()
  await toast(page, 'Batch 1 of 2').waitFor()
  await toast(page, 'Batch 2 of 2').waitFor()
  await toast(page, 'Downloads Ready').waitFor()
  for (const name of ['Batch 1', 'Batch 2'])
    expect(await card.getByRole('progressbar', { name }).getAttribute('aria-valuenow')).toBe('100')

  expect(zips.map((zip) => zip.suggestedFilename())).toEqual([
    `Event_${event._id}_Batch1.zip`,
    `Event_${event._id}_Batch2.zip`,
  ])
  expect(await filesIn(zips)).toEqual(kept)
  expect(kept.size).toBe(12)
})

test('When an admin downloads all, then the zip holds every file, the packer comes only then, and the page says done', async () => {
  const { event, kept } = await eventWith(3)
  const page = await site.visit({ as: site.admin })
  const zips = heardDownloads(page)
  const scripts = new Set<string>()
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.add(response.url())
  })
  await page.goto(`/admin/event-uploads/${event._id}`)
  await page.getByText('3 files from 1 guest').waitFor()
  expect(await page.getByRole('radio', { name: '50' }).isChecked()).toBe(true)
  const atFirst = scripts.size
  await page.getByRole('button', { name: 'Download All' }).click()
  await toast(page, 'Downloading...').waitFor()
  await toast(page, 'Batch 1 of 1').waitFor()
  await toast(page, 'All Downloads Complete').waitFor()
  expect(scripts.size).toBeGreaterThan(atFirst)
  expect(await filesIn(zips)).toEqual(kept)
})

test('When a file cannot be fetched, then the zip has the others, the page names it, and it can be tried again', async () => {
  const { event, kept } = await eventWith(3)
  const [lost = ''] = kept.keys()
  const [{ _id: lostId } = { _id: '' }] = (await listUploads(site, event._id)).filter((each) =>
    each.filename.endsWith(lost),
  )
  const page = await site.visit({ as: site.organiser })
  const zips = heardDownloads(page)
  await page.route(
    (url) => url.href.includes(lostId),
    (route) => (route.request().resourceType() === 'fetch' ? route.abort() : route.continue()),
  )
  await page.goto('/myevents')
  const card = cardOf(page, event)
  await card.getByRole('button', { name: 'Download All Uploads' }).click()
  await card.getByText('1 file is not there yet').waitFor()
  await card.getByText(lost).waitFor()
  expect([...(await filesIn(zips)).keys()].toSorted()).toEqual(
    [...kept.keys()].filter((name) => name !== lost).toSorted(),
  )

  await page.unrouteAll()
  await card.getByRole('button', { name: 'Try these again' }).click()
  await eventually(() => zips.length === 2, 'the second zip')
  expect(await filesIn(zips)).toEqual(kept)
})

test('When there is nothing to download, then each page says so in its words', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  const organiser = await site.visit({ as: site.organiser })
  await organiser.goto('/myevents')
  await cardOf(organiser, event).getByRole('button', { name: 'Download All Uploads' }).click()
  await toast(organiser, 'No Files').waitFor()
  await toast(organiser, 'There are no files to download.').waitFor()
  const admin = await site.visit({ as: site.admin })
  await admin.goto(`/admin/event-uploads/${event._id}`)
  await admin.getByText('No uploads found for this event.').waitFor()
  await admin.getByRole('button', { name: 'Download All' }).click()
  await toast(admin, 'No files to download.').waitFor()
})

test('When one file is downloaded, then it has its own name and bytes; when it cannot be fetched, the page says so', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  const bytes = await sample('iphone-13.heic')
  await sendFiles(site.api, event._id, [{ name: 'Sunset.HEIC', bytes }])
  const page = await site.visit({ as: site.admin })
  await page.goto(`/admin/event-uploads/${event._id}`)
  const button = page.getByRole('button', { name: 'Download Sunset.HEIC' })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  expect(download.suggestedFilename()).toBe('Sunset.HEIC')
  expect(sha256(await bytesOf(download))).toBe(sha256(bytes))

  const { blob } = site.system.backends
  const blobOrigin = new URL(/BlobEndpoint=([^;]+)/.exec(blob)?.[1] ?? '').origin
  await page.route(`${blobOrigin}/**`, (route) =>
    route.request().resourceType() === 'fetch'
      ? route.fulfill({ status: 404, headers: { 'Access-Control-Allow-Origin': '*' } })
      : route.continue(),
  )
  await button.click()
  await toast(page, 'Download Failed').waitFor()
  await page.getByText('Failed to fetch file: ').waitFor()
})

test('When an admin deletes an upload, then Cancel keeps it and Delete takes it out of the event', async () => {
  const { event } = await eventWith(2)
  const page = await site.visit({ as: site.admin })
  await page.goto(`/admin/event-uploads/${event._id}`)
  const buttons = page.getByRole('button', { name: /^Delete / })
  await buttons.first().click()
  const dialog = page.getByRole('alertdialog', { name: 'Confirm Deletion' })
  await dialog
    .getByText('Are you sure you want to delete this upload? This action cannot be undone.')
    .waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await listUploads(site, event._id)).toHaveLength(2)

  await buttons.first().click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await toast(page, 'Upload deleted successfully').waitFor()
  await page.getByText('1 file from 1 guest').waitFor()
  expect(await listUploads(site, event._id)).toHaveLength(1)
})

test('When a guest sends a photo, then organiser and admin see it without a reload, large on click, with keys to go on', async () => {
  const { event } = await eventWith(1)
  const organiser = await site.visit({ as: site.organiser })
  const admin = await site.visit({ as: site.admin })
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
    await whenProcessed(site, body.uploads[0]._id as string, event._id)
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
