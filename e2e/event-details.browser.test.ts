import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createQrCode } from '@confetti/contracts'
import { call } from '@confetti/test-kit'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { startSite, type Site } from './site.ts'
import { toast } from './toast.ts'
import { writtenDay } from './written-day.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
}, 120_000)
afterAll(() => site.stop())

test('When the details of an event are opened, then all of it shows, with the way to its uploads', async () => {
  const page = await site.visit({ as: site.admin })
  const answer = Promise.withResolvers<undefined>()
  await page.route(`**/api/events/${site.event._id}?*`, async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.goto(`/events/${site.event._id}`)
  await page.getByRole('main').getByText('Loading...').waitFor()
  answer.resolve(undefined)
  await page.getByRole('heading', { name: site.event.name, level: 1 }).waitFor()
  const text = await page.getByRole('main').innerText()
  expect(text).toContain(site.event.description)
  expect(text).toContain(await writtenDay(page, site.event.startDate))
  expect(text).toContain(await writtenDay(page, site.event.endDate))
  const uploads = page.getByRole('link', { name: 'View Event Uploads' })
  expect(await uploads.getAttribute('href')).toBe(`/admin/event-uploads/${site.event._id}`)
  await uploads.click()
  await page.getByRole('heading', { name: 'Event Uploads' }).waitFor()
})

/** What a phone reads that looks at this picture. */
const scan = async (picture: Buffer): Promise<string | undefined> => {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

test.each(['light', 'dark'] as const)(
  'When the QR code on the details page is scanned in the %s theme, then it leads to the link below it',
  async (theme) => {
    const page = await site.visit({ as: site.admin, theme })
    await page.goto(`/events/${site.event._id}`)
    const region = page.getByRole('region', { name: 'QR Code' })
    const picture = region.getByRole('img', { name: `QR code of the upload page of ${site.event.name}` })
    const link = region.getByRole('link', { name: /\/upload\?/ })
    const uploadUrl = `${site.frontends.url}/upload?eventId=${site.event._id}`
    expect((await link.innerText()).trim()).toBe(uploadUrl)
    expect(await link.getAttribute('href')).toBe(uploadUrl)

    const own = await picture.getAttribute('src')
    expect(await scan(Buffer.from(own?.split(',')[1] ?? '', 'base64'))).toBe(uploadUrl)
    expect(await scan(await picture.screenshot())).toBe(uploadUrl)
  },
)

test('When the upload link is followed, then the guest’s page opens in a new tab', async () => {
  const page = await site.visit({ as: site.admin })
  await page.goto(`/events/${site.event._id}`)
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: /\/upload\?/ }).click()
  const guest = await opened
  await guest.getByRole('heading', { name: site.event.name }).waitFor()
  await guest.getByLabel('Your Name (Photo Credit)').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/events/${site.event._id}`)
})

test('When the small code on an organiser’s card is scanned, then it leads to the same page as the event’s name', async () => {
  const page = await site.visit({ as: site.organiser, deviceScaleFactor: 2, theme: 'dark' })
  await page.goto('/myevents')
  const code = page.getByRole('img', { name: `QR code of the upload link of ${site.event.name}` })
  const uploadUrl = `${site.frontends.url}/upload?eventId=${site.event._id}`
  expect(await scan(await code.locator('..').screenshot())).toBe(uploadUrl)
  expect(await code.evaluate((svg) => svg.getBoundingClientRect().width)).toBe(100)
  const name = page.getByRole('link', { name: site.event.name, exact: true })
  expect(await name.getAttribute('href')).toBe(uploadUrl)
  expect(await name.getAttribute('target')).toBe('_blank')
})

test('When the details cannot be fetched, then the page says so, and Retry brings them', async () => {
  const page = await site.visit({ as: site.admin })
  await page.route(`**/api/events/${site.event._id}?*`, (route) => route.abort())
  await page.goto(`/events/${site.event._id}`)
  await toast(page, 'Failed to fetch event details.').waitFor()
  await toast(page, 'Error').waitFor()
  await page.unroute(`**/api/events/${site.event._id}?*`)
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('heading', { name: site.event.name, level: 1 }).waitFor()
})

test('When the QR code cannot be made, then the event shows all the same, and Retry brings it', async () => {
  const page = await site.visit({ as: site.admin })
  await page.route('**/qrcode*', (route) => route.abort())
  await page.goto(`/events/${site.event._id}`)
  await page.getByText('The QR code could not be made.').waitFor()
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
  'When there is no event %s, then its page says so and leads on',
  async (id) => {
    const page = await site.visit({ as: site.admin })
    await page.goto(`/events/${id}`)
    await page.getByRole('heading', { name: 'This event does not exist.' }).waitFor()
    await toast(page, 'Failed to fetch event details.').waitFor()
    await page.getByRole('link', { name: 'See all events' }).click()
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    await page.context().close()
  },
)
