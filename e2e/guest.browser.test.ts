import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, newEvent, sample, samplePath, uniquePhoto, type SampleName } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { startSite, type Site } from './site.ts'
import { sha256 } from './sha256.ts'
import { listUploads } from './stand.ts'
import { toast } from './toast.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
}, 120_000)
afterAll(() => site.stop())

const phone = { viewport: { width: 375, height: 740 } }

/** A guest's phone at an event of its own. */
const openUpload = async (eventId: string, name = 'Table 9'): Promise<Page> => {
  const page = await site.visit(phone)
  await page.goto(`/upload?eventId=${eventId}`)
  await page.getByLabel('Your Name (Photo Credit)').fill(name)
  return page
}
const anEvent = () => newEvent(site.api, site.admin, site.organiser)
const choose = (page: Page, files: Parameters<Page['setInputFiles']>[1]) =>
  page.setInputFiles('input[type=file]', files)
const jpeg = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await uniquePhoto() })
const upload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true }).click()
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

test('When a guest sends photos, a HEIC and a video, then all arrive byte for byte, and the page thanks', async () => {
  const event = await anEvent()
  const names: SampleName[] = ['phone-jolla.jpg', 'iphone-13.heic', 'photo.webp', 'gradient.png', 'video.mov']
  const page = await openUpload(event._id)
  await choose(page, names.map(samplePath))
  const rows = await page.getByRole('listitem').allInnerTexts()
  expect(rows.map((text) => text.split('\n')[0])).toEqual(['1', '2', '3', '4', '5'])
  expect(rows[1]).toContain('2.08 MB')

  await upload(page)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  await toast(page, 'Media uploaded successfully.').waitFor()
  await page.getByText('Your files have been uploaded successfully.').waitFor()
  await page.getByText(`5 files for ${event.name}, from Table 9.`).waitFor()

  const uploads = await listUploads(site, event._id)
  const sent = await Promise.all(names.map(async (name) => [name, sha256(await sample(name)), 'Table 9']))
  const kept = uploads.map((each) => [each.originalName, each.sha256, each.photoCredit])
  expect(kept.toSorted()).toEqual(sent.toSorted())

  await page.getByRole('link', { name: 'Send more' }).click()
  await page.getByRole('heading', { name: event.name }).waitFor()
  expect(await page.getByLabel('Your Name (Photo Credit)').inputValue()).toBe('Table 9')
})

test('When one of several files is no photo, then it says why, the others arrive, and the guest can go on', async () => {
  const event = await anEvent()
  const page = await openUpload(event._id)
  const bad = { name: 'holiday.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('This is no photo.') }
  const unfit = { name: 'seating.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
  await choose(page, [await jpeg('one.jpg'), bad, unfit, await jpeg('two.jpg')])
  await row(page, 'seating.pdf').getByText('This kind of file cannot be sent.').waitFor()

  await upload(page)
  await page.getByText('2 arrived, 1 did not.', { exact: true }).first().waitFor()
  await row(page, 'holiday.jpg').getByRole('button', { name: 'Retry' }).waitFor()
  await toast(page, 'Upload Failed').waitFor()
  expect(await row(page, 'one.jpg').innerText()).toContain('Sent')
  const kept = await listUploads(site, event._id)
  expect(kept.map(({ originalName }) => originalName).toSorted()).toEqual(['one.jpg', 'two.jpg'])

  await row(page, 'holiday.jpg').getByRole('button', { name: 'Remove' }).click()
  await page.getByText(`2 files for ${event.name}, from Table 9.`).waitFor()
})

test('When the connection is cut in mid-upload, then sending waits and goes on by itself, with the same bytes', async () => {
  const event = await anEvent()
  const page = await openUpload(event._id)
  const photos = await Promise.all([1, 2, 3, 4].map((number) => jpeg(`photo-${number}.jpg`)))
  const video = { name: 'dance.mp4', mimeType: 'video/mp4', buffer: await sample('video.mp4') }
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  const slowly = (offline: boolean, uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline,
      latency: 20,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await slowly(false, 100_000)
  await choose(page, [video, ...photos])
  await upload(page)
  await page.waitForFunction(() => {
    const bars = [...document.querySelectorAll('li [role=progressbar]')]
    return bars.some((bar) => Number(bar.getAttribute('aria-valuenow')) > 10)
  })

  await slowly(true, -1)
  await page
    .getByText('You are offline. Sending goes on by itself when the connection is back.')
    .first()
    .waitFor()
  await slowly(false, -1)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  const kept = (await listUploads(site, event._id)).map((each) => each.sha256)
  expect(kept.toSorted()).toEqual([video, ...photos].map(({ buffer }) => sha256(buffer)).toSorted())
})

test('When an answer is lost after the photo arrived, then it is sent again and kept once', async () => {
  const event = await anEvent()
  const page = await openUpload(event._id)
  let lost = 0
  await page.route('**/api/uploads*', async (route) => {
    if (route.request().method() === 'POST' && (lost += 1) === 1) {
      await route.fetch()
      await route.abort('connectionreset')
    } else await route.continue()
  })
  await choose(page, [await jpeg('once.jpg')])
  await upload(page)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  expect(await listUploads(site, event._id)).toHaveLength(1)
})

test('When the server is busy, then the guest is told, waits as asked, and sends no more than three at once', async () => {
  const event = await anEvent()
  const page = await openUpload(event._id)
  let answered = 0
  await page.route('**/api/uploads*', async (route) => {
    if (route.request().method() !== 'POST' || (answered += 1) > 2) return route.continue()
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
    const seen = window as typeof window & { most: number }
    seen.most = 0
    const count = (): void => {
      seen.most = Math.max(seen.most, document.querySelectorAll('li [role=progressbar]').length)
    }
    new MutationObserver(count).observe(document.body, { subtree: true, childList: true })
  })
  await choose(page, await Promise.all(Array.from({ length: 24 }, (_, index) => jpeg(`${index}.jpg`))))
  await upload(page)
  await page.getByText('Many are sending at this moment. Yours goes on by itself.').first().waitFor()
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor({ timeout: 60_000 })
  expect(await listUploads(site, event._id)).toHaveLength(24)
  expect(await page.evaluate(() => (window as typeof window & { most: number }).most)).toBe(3)
})

test('When a file has failed for good, then one tap sends it again', async () => {
  const event = await anEvent()
  const page = await openUpload(event._id)
  let failures = 1
  await page.route('**/api/uploads*', async (route) => {
    if (route.request().method() === 'POST' && (failures -= 1) === 0)
      await route.fulfill({ status: 500, headers: { 'Access-Control-Allow-Origin': '*' }, body: 'oops' })
    else await route.continue()
  })
  await choose(page, [await jpeg('again.jpg')])
  await upload(page)
  await row(page, 'again.jpg').getByText('Something went wrong.').waitFor()
  await row(page, 'again.jpg').getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
})

test('When nothing or no name is given, then the page says what is missing and sends nothing', async () => {
  const event = await anEvent()
  const page = await openUpload(event._id, '')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url())
  })
  await upload(page)
  await toast(page, 'Please select at least one file.').waitFor()
  await choose(page, [await jpeg('nameless.jpg')])
  await upload(page)
  await page.getByText('Photo credit name is required.').waitFor()
  expect(sent).toEqual([])
})

test('When the link names no event, an unknown one or a closed one, then a friendly page says so', async () => {
  const page = await site.visit(phone)
  await page.goto('/upload')
  await toast(page, 'Event ID is missing.').waitFor()
  await page.getByRole('heading', { name: 'Which event is it?' }).waitFor()
  for (const unknown of ['000000000000000000000000', 'not-an-id']) {
    await page.goto(`/upload?eventId=${unknown}`)
    await page.getByRole('heading', { name: 'There is no such event.' }).waitFor()
  }
  const closed = await newEvent(site.api, site.admin, site.organiser, { startsIn: -41, endsIn: -40 })
  await page.goto(`/upload?eventId=${closed._id}`)
  await page.getByText('This event takes no more photos and videos').waitFor()
  expect(await page.locator('input[type=file]').count()).toBe(0)
})

test('When a guest leaves while files are being sent, then the page asks first, and goes on where they stay', async () => {
  const event = await anEvent()
  const page = await site.visit(phone)
  await page.goto('/')
  await page.goto(`/upload?eventId=${event._id}`)
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  const go = Promise.withResolvers<undefined>()
  await page.route('**/api/uploads*', async (route) => {
    await go.promise
    await route.continue()
  })
  await choose(page, [await jpeg('slow.jpg')])
  await upload(page)
  await page.getByText('keep this page open').waitFor()

  await page.evaluate(() => history.back())
  await page.getByRole('dialog', { name: 'Leave while files are being sent?' }).waitFor()
  await page.getByRole('button', { name: 'Stay' }).click()

  const asked = Promise.withResolvers<string>()
  page.on('dialog', (dialog) => {
    asked.resolve(dialog.type())
    void dialog.dismiss()
  })
  await page.close({ runBeforeUnload: true })
  expect(await asked.promise).toBe('beforeunload')
  go.resolve(undefined)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
})

test('When a guest leaves the tab that the QR code opened, then the start page comes, and sending goes on', async () => {
  const event = await anEvent()
  const opener = await site.visit(phone)
  await opener.goto('/')
  const go = Promise.withResolvers<undefined>()
  await opener.context().route('**/api/uploads*', async (route) => {
    await go.promise
    await route.continue()
  })
  const opened = opener.context().waitForEvent('page')
  await opener.evaluate((id) => void window.open(`/upload?eventId=${id}`, '_blank', 'noopener'), event._id)
  const page = await opened
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  expect(await page.evaluate(() => history.length)).toBe(1)
  await choose(page, [await jpeg('left.jpg')])
  await upload(page)
  await page.getByText('keep this page open').waitFor()

  await page.evaluate(() => history.back())
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  go.resolve(undefined)
  await eventually(
    async () => (await listUploads(site, event._id)).length === 1,
    'the photo that was under way',
  )
})

test('When a member opens the guest page, then it sends the guest token and never theirs', async () => {
  const event = await anEvent()
  const page = await site.visit({ ...phone, as: site.organiser })
  const headers: Record<string, string>[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(site.api) && request.method() !== 'OPTIONS')
      headers.push({ url: request.url(), ...request.headers() })
  })
  await page.goto(`/upload?eventId=${event._id}`)
  await page.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  await choose(page, [await jpeg('mine.jpg')])
  await upload(page)
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
  expect(headers).toHaveLength(2)
  expect(headers.some((each) => 'authorization' in each)).toBe(false)
  expect(headers[1]).toHaveProperty('x-guest-token')
})

test('When the file input is looked at, then it is in the document and takes HEIC', async () => {
  const page = await openUpload((await anEvent())._id)
  const input = page.locator('input[type=file]')
  expect(await input.getAttribute('multiple')).not.toBeNull()
  expect(await input.getAttribute('accept')).toContain('image/heic')
  const shown = await input.evaluate((element) => element.isConnected && getComputedStyle(element).display)
  expect(shown).not.toBe('none')
})

test('When two hundred photos are chosen, then all are listed and previews are drawn for those in sight', async () => {
  const page = await openUpload((await anEvent())._id)
  await choose(page, await Promise.all(Array.from({ length: 200 }, (_, index) => jpeg(`party-${index}.jpg`))))
  await row(page, 'party-199.jpg').waitFor()
  expect(await page.getByRole('listitem').count()).toBe(200)
  await eventually(
    async () => (await page.locator('li img, li canvas').count()) > 0,
    'a preview among the first rows',
  )
})

test('When videos are chosen, then a frame of each is drawn', async () => {
  const page = await openUpload((await anEvent())._id)
  await choose(page, [samplePath('video.mp4'), samplePath('video.mov')])
  const drawn = (): Promise<number> =>
    page.locator('li canvas').evaluateAll((canvases) => {
      const opaque = (canvas: Element): boolean =>
        (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(56, 56, 1, 1).data[3] === 255
      return canvases.filter(opaque).length
    })
  await eventually(async () => (await drawn()) === 2, 'a frame of each video')
})
