import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createQrCode } from '@confetti/contracts'
import { call } from '@confetti/test-kit'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { formatDate } from './format-date.ts'
import { joinSite, type Site } from './site.ts'
import { toast } from './toast.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

test('When an admin opens an event, then the page shows its details and links to its uploads', async () => {
  const page = await site.newPage({ account: site.admin })
  const unblocked = Promise.withResolvers<undefined>()
  await page.route(`**/api/events/${site.event._id}?*`, async (route) => {
    await unblocked.promise
    await route.continue()
  })
  await page.goto(`/events/${site.event._id}`)
  await page.getByRole('main').getByText('Loading...').waitFor()
  unblocked.resolve(undefined)
  await page.getByRole('heading', { name: site.event.name, level: 1 }).waitFor()
  const text = await page.getByRole('main').innerText()
  expect(text).toContain(site.event.description)
  expect(text).toContain(await formatDate(page, site.event.startDate))
  expect(text).toContain(await formatDate(page, site.event.endDate))
  const uploads = page.getByRole('link', { name: 'View Event Uploads' })
  expect(await uploads.getAttribute('href')).toBe(`/admin/event-uploads/${site.event._id}`)
  await uploads.click()
  await page.getByRole('heading', { name: 'Event Uploads' }).waitFor()
})

/** Decodes the QR code in an image. */
const decodeQrCode = async (image: Buffer): Promise<string | undefined> => {
  const { data, info } = await sharp(image).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

test.each(['light', 'dark'] as const)(
  'When the QR code on the event page is scanned in the %s theme, then it contains the link below it',
  async (theme) => {
    const page = await site.newPage({ account: site.admin, theme })
    await page.goto(`/events/${site.event._id}`)
    const region = page.getByRole('region', { name: 'QR Code' })
    const picture = region.getByRole('img', { name: `QR code of the upload page of ${site.event.name}` })
    const link = region.getByRole('link', { name: /\/upload\?/ })
    const uploadUrl = `${site.frontends.url}/upload?eventId=${site.event._id}`
    expect((await link.innerText()).trim()).toBe(uploadUrl)
    expect(await link.getAttribute('href')).toBe(uploadUrl)

    const source = await picture.getAttribute('src')
    expect(await decodeQrCode(Buffer.from(source?.split(',')[1] ?? '', 'base64'))).toBe(uploadUrl)
    expect(await decodeQrCode(await picture.screenshot())).toBe(uploadUrl)
  },
)

test('When the poster is printed, then it is one page with the name and a large code, and nothing else of the page', async () => {
  const page = await site.newPage({ account: site.admin })
  await page.goto(`/events/${site.event._id}`)
  const heading = page.getByRole('heading', { name: site.event.name, level: 1 })
  await heading.waitFor()
  await page.getByRole('button', { name: 'Print poster' }).waitFor()
  const invitation = page.getByText('Share your photos and videos')
  expect(await invitation.isVisible()).toBe(false)

  await page.emulateMedia({ media: 'print' })
  expect(await invitation.isVisible()).toBe(true)
  expect(await heading.isVisible()).toBe(false)
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
  const uploadUrl = `${site.frontends.url}/upload?eventId=${site.event._id}`
  expect(await decodeQrCode(await page.screenshot())).toBe(uploadUrl)
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
})

test('When the upload link is clicked, then the guest page opens in a new tab', async () => {
  const page = await site.newPage({ account: site.admin })
  await page.goto(`/events/${site.event._id}`)
  const newTab = page.context().waitForEvent('page')
  await page.getByRole('link', { name: /\/upload\?/ }).click()
  const guest = await newTab
  await guest.getByRole('heading', { name: site.event.name }).waitFor()
  await guest.getByLabel('Your Name (Photo Credit)').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/events/${site.event._id}`)
})

test('When the QR code on an event card is scanned, then it contains the link of the event’s name', async () => {
  const page = await site.newPage({ account: site.organiser, deviceScaleFactor: 2, theme: 'dark' })
  await page.goto('/myevents')
  const code = page.getByRole('img', { name: `QR code of the upload link of ${site.event.name}` })
  const uploadUrl = `${site.frontends.url}/upload?eventId=${site.event._id}`
  expect(await decodeQrCode(await code.locator('..').screenshot())).toBe(uploadUrl)
  expect(await code.evaluate((svg) => svg.getBoundingClientRect().width)).toBe(100)
  const name = page.getByRole('link', { name: site.event.name, exact: true })
  expect(await name.getAttribute('href')).toBe(uploadUrl)
  expect(await name.getAttribute('target')).toBe('_blank')
})

test('When loading an event fails, then a toast reports it, and Retry loads it', async () => {
  const page = await site.newPage({ account: site.admin })
  await page.route(`**/api/events/${site.event._id}?*`, (route) => route.abort())
  await page.goto(`/events/${site.event._id}`)
  await toast(page, 'Failed to fetch event details.').waitFor()
  await toast(page, 'Error').waitFor()
  await page.unroute(`**/api/events/${site.event._id}?*`)
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('heading', { name: site.event.name, level: 1 }).waitFor()
})

test('When loading the QR code fails, then the rest of the event is shown, and Retry loads the code', async () => {
  const page = await site.newPage({ account: site.admin })
  await page.route('**/qrcode*', (route) => route.abort())
  await page.goto(`/events/${site.event._id}`)
  await page.getByText("Couldn't create the QR code.").waitFor()
  await page.getByRole('heading', { name: site.event.name, level: 1 }).waitFor()
  await page.unroute('**/qrcode*')
  await page.getByRole('button', { name: 'Retry' }).click()
  const { body } = await call(site.api, createQrCode, {
    token: site.admin.token,
    params: { eventId: site.event._id },
  })
  await page.getByRole('link', { name: body.uploadUrl }).waitFor()
})

test.each(['000000000000000000000000', 'no-id'])(
  'When there is no event with id %s, then the page reports it and links to all events',
  async (id) => {
    const page = await site.newPage({ account: site.admin })
    await page.goto(`/events/${id}`)
    await page.getByRole('heading', { name: 'This event does not exist.' }).waitFor()
    await toast(page, 'Failed to fetch event details.').waitFor()
    await page.getByRole('link', { name: 'See all events' }).click()
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    await page.context().close()
  },
)
