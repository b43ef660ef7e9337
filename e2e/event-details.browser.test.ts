import { afterAll, beforeAll, expect, test } from '@jest/globals'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { joinSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

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
