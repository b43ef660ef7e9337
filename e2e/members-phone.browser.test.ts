import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { setUploadsVisibility, updateEvent } from '@confetti/contracts'
import { call, sendFiles, uniquePhoto } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { listUploads, waitForProcessing } from './harness.ts'
import { joinSite, type NewPageOptions, type Site } from './site.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let site: Site
beforeAll(async () => {
  site = await joinSite()
  const { api, admin, event } = site
  const { status } = await call(api, updateEvent, {
    token: admin.token,
    params: { eventId: event._id },
    body: { settings: { moderation: 'approve', gallery: 'on', maxFiles: 500 } },
  })
  expect(status).toBe(200)
  for (const name of ['cake.jpg', 'dance.jpg', 'garden.jpg'])
    await sendFiles(api, event._id, [{ name, bytes: await uniquePhoto() }])
  const uploadIds = (await listUploads(site, event._id)).map(({ _id }) => _id)
  for (const id of uploadIds) await waitForProcessing(site, id, event._id)
  // The uploads service may not have known yet that photos wait for approval.
  const reset = await call(api, setUploadsVisibility, {
    token: admin.token,
    params: { eventId: event._id },
    body: { uploadIds, visibility: 'pending' },
  })
  expect(reset.status).toBe(200)
})
afterAll(() => site.stop())

const openPhone = async (path: string, options: NewPageOptions): Promise<Page> => {
  const page = await site.newPage({ ...options, ...phone })
  await page.goto(path)
  return page
}

test('When a phone opens the photos of an event, then the first photo is in the upper half of the screen', async () => {
  const pages = [
    [`/myevents/${site.event._id}`, { account: site.organiser }],
    [`/admin/event-uploads/${site.event._id}`, { account: site.admin }],
  ] as const
  for (const [path, options] of pages) {
    const page = await openPhone(path, options)
    const photo = page.getByRole('button', { name: 'View garden.jpg' })
    await photo.waitFor()
    expect((await photo.boundingBox())?.y).toBeLessThan(phone.viewport.height / 2)
  }
})

test('When a phone selects photos, then their actions are in two rows, and each can be reached', async () => {
  const page = await openPhone(`/myevents/${site.event._id}`, { account: site.organiser })
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByRole('button', { name: 'Choose photos and videos' }).click()
  for (const name of ['garden.jpg', 'dance.jpg'])
    await page.getByRole('checkbox', { name: `${name} from` }).click()
  const actions = page.getByRole('group', { name: 'Selection' })
  await actions.getByRole('button', { name: 'Delete 2' }).waitFor()
  expect((await actions.boundingBox())?.height).toBeLessThan(phone.viewport.height / 6)
  await actions.getByRole('button', { name: 'Clear' }).click()
  await actions.getByText('Select photos and videos to download.').waitFor()
  await actions.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'View garden.jpg' }).waitFor()
})

test('When a small phone reviews photos, then the counts are the same everywhere, and nothing covers name and time', async () => {
  const small = { ...phone, viewport: { width: 390, height: 664 } }
  const page = await site.newPage({ account: site.organiser, ...small })
  await page.goto('/myevents')
  await page.getByRole('link', { name: `Review 3 of ${site.event.name}` }).waitFor()
  await page.goto(`/myevents/${site.event._id}`)
  await page.getByRole('link', { name: 'Review 3' }).click()
  await page.getByText('3 waiting · 0 reviewed').waitFor()
  const bottomOf = async (text: RegExp | string) => {
    const box = await page.getByRole('main').getByText(text).first().boundingBox()
    return (box?.y ?? 0) + (box?.height ?? Infinity)
  }
  const approve = await page.getByRole('button', { name: 'Approve', exact: true }).boundingBox()
  expect(await bottomOf('Table 4')).toBeLessThan(approve?.y ?? 0)
  expect(await bottomOf(/^\d\d\/\d\d\/\d{4}, /)).toBeLessThan(approve?.y ?? 0)
})

test('When a page is written from right to left, then the start of a long Latin name is seen', async () => {
  const name = 'Hildegard from the very long table beside the window'
  await sendFiles(site.api, site.event._id, [{ name: 'toast.jpg', bytes: await uniquePhoto() }], name)
  const page = await openPhone(`/myevents/${site.event._id}`, { account: site.organiser, locale: 'ar' })
  const credit = page.locator('figcaption b').filter({ hasText: name })
  await credit.waitFor()
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  const isStartSeen = await credit.evaluate((element) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text
    const start = text.data.indexOf('Hildegard')
    const range = document.createRange()
    range.setStart(text, start)
    range.setEnd(text, start + 4)
    const [letters, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
    return letters.left >= box.left - 1 && letters.right <= box.right + 1 && letters.bottom <= box.bottom + 1
  })
  expect(isStartSeen).toBe(true)
})
