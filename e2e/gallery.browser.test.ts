import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { setUploadsVisibility, UNDO_MS, updateEvent } from '@confetti/contracts'
import { call, eventually, newEvent, sendFiles, uniquePhoto } from '@confetti/test-kit'
import type { Locator, Page } from 'playwright-core'
import { listUploads } from './harness.ts'
import { waitForFocus } from './keyboard.ts'
import { lengthenTimers } from './long-timers.ts'
import { joinSite, type Site } from './site.ts'
import { slowDownRendering } from './slow-rendering.ts'
import { toast } from './toast.ts'
import { createVideo, isWholeVideoSeen } from './whole-video.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

/** For so long deleting can be undone. */
const phone = { viewport: { width: 375, height: 740 } }
const touchPhone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const createEvent = () => newEvent(site.api, site.admin, site.organiser)

/** Sends photos as a guest with this name and waits for the thank-you page. */
const sendPhotos = async (page: Page, eventId: string, credit: string, names: string[]): Promise<void> => {
  await page.goto(`/upload?eventId=${eventId}`)
  await page.getByLabel('Your Name (Photo Credit)').fill(credit)
  const files = await Promise.all(
    names.map(async (name) => ({ name, mimeType: 'image/jpeg', buffer: await uniquePhoto() })),
  )
  await page.setInputFiles('input[type=file]', files)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('heading', { name: 'Thank You!' }).waitFor()
}
const openOwnPhotos = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Your photos' }).click()
  await page.getByRole('heading', { name: 'Your photos' }).waitFor()
}
const ownPhotos = (page: Page) => page.getByRole('region', { name: 'Your photos' }).getByRole('listitem')
const ownPhoto = (page: Page, name: string) =>
  ownPhotos(page).filter({
    has: page.getByRole('button', { name: new RegExp(`(Delete|Undo deleting) ${name}`) }),
  })
const openSettings = async (eventId: string): Promise<Page> => {
  const page = await site.newPage({ account: site.organiser })
  await page.goto(`/myevents/${eventId}/settings`)
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  return page
}
/** Waits until the event has uploads with these names, newest first. */
const waitForNames = (eventId: string, names: string[], description: string) =>
  eventually(async () => {
    const uploads = await listUploads(site, eventId)
    return uploads.map(({ originalName }) => originalName).join() === names.join()
  }, description)
/** Creates an event with a gallery. */
const createEventWithGallery = async (): Promise<string> => {
  const { _id: eventId } = await createEvent()
  await call(site.api, updateEvent, {
    token: site.admin.token,
    params: { eventId },
    body: { settings: { gallery: 'on' } },
  })
  return eventId
}
const waitUntilReady = (eventId: string, count: number) =>
  eventually(async () => {
    const uploads = await listUploads(site, eventId)
    return uploads.length === count && uploads.every(({ status }) => status === 'ready')
  }, 'the previews')
interface Point {
  x: number
  y: number
}
const FRAME_MS = 16
/**
 * Puts a finger on the screen and moves it along the points, once for each path. For the page a frame passes from each
 * event to the next, however long the browser takes.
 */
const touch = async (page: Page, ...paths: Point[][]): Promise<void> => {
  const devTools = await page.context().newCDPSession(page)
  let now = Date.now()
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) => {
    now += FRAME_MS
    return devTools.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: now / 1_000 })
  }
  for (const path of paths) {
    await send('touchStart', ...path.slice(0, 1))
    for (const point of path.slice(1)) await send('touchMove', point)
    await send('touchEnd')
  }
}
/** Over the middle of the screen. */
const swipeLeft = (page: Page): Promise<void> =>
  touch(
    page,
    [300, 250, 200, 150].map((x) => ({ x, y: 400 })),
  )
const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save settings' }).click()
  await toast(page, 'Settings saved').waitFor()
}
const check = (page: Page, name: string) =>
  page.getByRole('radio', { name, exact: true }).check({ force: true })

test('When photos wait for approval, then guests see them once an organiser has approved them, until they are hidden', async () => {
  const { _id: eventId } = await createEvent()
  const organiser = await openSettings(eventId)
  await check(organiser, 'Approve first')
  await check(organiser, 'On')
  await save(organiser)

  // The setting reaches the uploads some moments later.
  const guest = await site.newPage(phone)
  let sentCount = 0
  const { originalName: name } = await eventually(async () => {
    sentCount += 1
    await sendPhotos(guest, eventId, 'Aunt Marta', [`photo-${sentCount}.jpg`])
    const [newest] = await listUploads(site, eventId)
    return newest?.visibility === 'pending' && newest
  }, 'an upload that waits for approval')
  await openOwnPhotos(guest)
  await ownPhoto(guest, name).getByText('Waiting for approval').waitFor()

  // The organiser reviews it with the keyboard, and undoes it once.
  await organiser.goto(`/myevents/${eventId}`)
  await organiser.getByRole('link', { name: /^Review \d+$/ }).click()
  await organiser.getByText('1 waiting · 0 reviewed').waitFor()
  await organiser.getByRole('img', { name }).waitFor()
  await organiser.keyboard.press('h')
  await organiser.getByText('Nothing is waiting for approval.').waitFor()
  await organiser.keyboard.press('z')
  await organiser.getByRole('img', { name }).waitFor()
  await organiser.keyboard.press('a')
  await organiser.getByText('0 waiting · 1 reviewed').waitFor()

  // The page says so before the server does.
  await eventually(async () => {
    const uploads = await listUploads(site, eventId)
    return uploads.find(({ originalName }) => originalName === name)?.visibility === 'visible'
  }, 'the approval')

  // The guest sees it in the gallery, and opens it.
  const visitor = await site.newPage(phone)
  await visitor.goto(`/upload?eventId=${eventId}`)
  await visitor.getByRole('link', { name: "See everyone's photos" }).click()
  const photos = visitor.getByRole('button', { name: 'Photo by Aunt Marta' })
  await photos.first().click()
  const large = visitor.getByRole('dialog', { name: 'Photo by Aunt Marta' })
  await large.waitFor()

  // It is hidden, and leaves the open view and the grid.
  await organiser.goto(`/myevents/${eventId}`)
  await organiser.getByRole('button', { name: `More for ${name}` }).click()
  await organiser.getByRole('button', { name: 'Hide from guests' }).click()
  await organiser.getByRole('figure').getByText('Hidden', { exact: true }).waitFor()
  await visitor.getByText('This photo is no longer in the gallery.').waitFor()
  await visitor.keyboard.press('Escape')
  await ownPhoto(guest, name).waitFor()
  await guest.reload()
  await ownPhoto(guest, name).getByText('Hidden by the organisers').waitFor()
})

test('When a guest deletes a photo, then it is gone at once, and can be undone also after the phone showed another page', async () => {
  const { _id: eventId } = await createEvent()
  const guest = await site.newPage(phone)
  // The guest follows the link of the thank-you page before that is finished.
  await slowDownRendering(guest)
  await lengthenTimers(guest, UNDO_MS)
  await sendPhotos(guest, eventId, 'Table 9', ['stays.jpg', 'goes.jpg'])
  // Nothing is being sent anymore.
  await guest.getByRole('link', { name: 'Finish' }).waitFor({ state: 'detached' })
  await openOwnPhotos(guest)
  for (const name of ['stays.jpg', 'goes.jpg']) {
    await guest.getByRole('button', { name: `Delete ${name}` }).click()
    await ownPhoto(guest, name)
      .getByText(/^Deleted/)
      .waitFor()
  }
  await waitForNames(eventId, [], 'both photos to be gone')
  // As a phone does that shows another app.
  await guest.evaluate(
    () => void window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })),
  )
  await guest.getByRole('button', { name: 'Undo deleting stays.jpg' }).click()
  await guest.getByRole('button', { name: 'Delete stays.jpg' }).waitFor()
  await waitForNames(eventId, ['stays.jpg'], 'the photo that was restored')
  await guest.goto('/')
  await waitForNames(eventId, ['stays.jpg'], 'the photo that was deleted to stay so')

  // Another guest has only their own.
  const other = await site.newPage(phone)
  await sendPhotos(other, eventId, 'Table 10', ['other.jpg'])
  await openOwnPhotos(other)
  await ownPhoto(other, 'other.jpg').getByText('Sent').waitFor()
  expect(await ownPhotos(other).count()).toBe(1)
})

test('When a video is opened or reviewed, then the whole of it fits the window, with its controls', async () => {
  const { api, admin, organiser } = site
  const { _id: eventId } = await createEvent()
  await call(api, updateEvent, {
    token: admin.token,
    params: { eventId },
    body: { settings: { moderation: 'approve' } },
  })
  const sizes = { 'tall.mp4': '1080x1920', 'wide.mp4': '1920x1080' }
  for (const [name, size] of Object.entries(sizes))
    await sendFiles(api, eventId, [{ name, bytes: await createVideo(size) }])
  await eventually(async () => {
    const uploads = await listUploads(site, eventId)
    return uploads.every(({ status }) => status === 'ready')
  }, 'the posters of the videos')
  const uploadIds = (await listUploads(site, eventId)).map(({ _id }) => _id)
  await call(api, setUploadsVisibility, {
    token: admin.token,
    params: { eventId },
    body: { uploadIds, visibility: 'pending' },
  })

  const waitInBothWindows = async (page: Page, video: Locator): Promise<void> => {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.waitForFunction(isWholeVideoSeen, await video.elementHandle(), { timeout: 20_000 })
    }
  }
  const page = await site.newPage({ account: organiser })
  await page.goto(`/myevents/${eventId}`)
  for (const name of Object.keys(sizes)) {
    await page.getByRole('button', { name: `View ${name}` }).click()
    const dialog = page.getByRole('dialog', { name })
    await waitInBothWindows(page, dialog.locator('video'))
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  // The browser goes back one entry after the viewer has closed, which would abort the next navigation.
  await page.waitForFunction(() => !(history.state as { overlay?: boolean } | null)?.overlay)
  await page.goto(`/myevents/${eventId}/review`)
  for (const name of Object.keys(sizes)) {
    await waitInBothWindows(page, page.getByLabel(name))
    await page.keyboard.press('h')
  }
})

test('When a guest opens a photo of the gallery with Enter and presses it again, then the photo is not reported', async () => {
  const eventId = await createEventWithGallery()
  await sendFiles(site.api, eventId, [{ name: 'cake.jpg', bytes: await uniquePhoto() }], 'Aunt Marta')
  const page = await site.newPage(phone)
  const tile = page.getByRole('button', { name: 'Photo by Aunt Marta' })
  await page.goto(`/gallery?eventId=${eventId}`)
  await tile.focus()
  await page.keyboard.press('Enter')
  const large = page.getByRole('dialog', { name: 'Photo by Aunt Marta' })
  await large.waitFor()
  await page.keyboard.press('Enter')
  expect(await page.getByText('Report this photo?').count()).toBe(0)
  await large.waitFor()
  await page.keyboard.press('Escape')
  await large.waitFor({ state: 'detached' })
  await waitForFocus(page, tile)
})

test('When a finger enlarges a photo and drags it, then the photo moves, and no other one is shown', async () => {
  const eventId = await createEventWithGallery()
  for (const name of ['one.jpg', 'two.jpg'])
    await sendFiles(site.api, eventId, [{ name, bytes: await uniquePhoto() }], 'Aunt Marta')
  await waitUntilReady(eventId, 2)
  const page = await site.newPage(touchPhone)
  await page.goto(`/gallery?eventId=${eventId}`)
  await page.getByRole('button', { name: 'Photo by Aunt Marta' }).first().tap()
  const large = page.getByRole('dialog', { name: 'Photo by Aunt Marta' })
  await large.getByText('1 of 2').waitFor()
  const read = async (side: 'x' | 'width'): Promise<number> =>
    (await large.getByRole('img').boundingBox())?.[side] ?? NaN
  const waitUntil = (side: 'x' | 'width', px: number) =>
    eventually(async () => Math.abs((await read(side)) - px) < 2, `the ${side} of ${px} px`)
  const width = await read('width')
  const doubleTap = () => touch(page, [{ x: 195, y: 400 }], [{ x: 195, y: 400 }])

  await doubleTap()
  await waitUntil('width', 2.5 * width)
  const left = await read('x')
  await swipeLeft(page)
  await waitUntil('x', left - 150)
  await large.getByText('1 of 2').waitFor()

  await doubleTap()
  await waitUntil('width', width)
  await swipeLeft(page)
  await large.getByText('2 of 2').waitFor()
})

test('When a guest looks at own photos by touch, then they open, are swiped and deleted there and in the gallery, and Undo brings them back', async () => {
  const eventId = await createEventWithGallery()
  const page = await site.newPage(touchPhone)
  await lengthenTimers(page, UNDO_MS)
  await sendPhotos(page, eventId, 'Table 9', ['one.jpg', 'two.jpg'])
  await waitUntilReady(eventId, 2)
  await page.goto(`/upload?eventId=${eventId}#your-photos`)
  const nameAt = async (index: number): Promise<string> =>
    (await ownPhotos(page).nth(index).getByRole('img').getAttribute('alt')) ?? ''
  const [first, second] = [await nameAt(0), await nameAt(1)]
  await page.getByRole('button', { name: first, exact: true }).tap()
  await page.getByRole('dialog', { name: first }).waitFor()
  await swipeLeft(page)
  const large = page.getByRole('dialog', { name: second })
  // Clicks from here on: after a swipe by DevTools, the browser ignores taps.
  await large.getByRole('button', { name: `Delete ${second}` }).click()
  await large.getByText(/^Deleted/).waitFor()
  await waitForNames(eventId, [first], 'the photo to be gone')
  await page.goBack()
  const undo = page.getByRole('button', { name: `Undo deleting ${second}` })
  await waitForFocus(page, undo)
  await undo.click()
  await waitForNames(eventId, [first, second], 'the photo that was restored')

  await page.goto(`/gallery?eventId=${eventId}`)
  const photos = page.getByRole('button', { name: 'Photo by Table 9' })
  await photos.nth(1).click()
  const photo = page.getByRole('dialog', { name: 'Photo by Table 9' })
  await photo.getByRole('button', { name: `Delete ${second}` }).click()
  await waitForNames(eventId, [first], 'the photo to be gone again')
  await photo.getByRole('button', { name: 'Close' }).click()
  const deleted = page.getByRole('button', {
    name: `${second} was deleted. You can undo this for 30 seconds.`,
  })
  await waitForFocus(page, deleted)
  await deleted.click()
  await undo.click()
  await waitForNames(eventId, [first, second], 'the photo that was restored again')
  await photo.getByRole('button', { name: 'Close' }).click()
  await waitForFocus(page, photos.nth(1))
})

test.each([
  ['a phone', touchPhone],
  ['a desktop', { viewport: { width: 1440, height: 500 } }],
])(
  'When the large view is closed on %s, then the gallery is where it was, and shows the photo that was open last',
  async (_, options) => {
    const eventId = await createEventWithGallery()
    const files = Array.from({ length: 40 }, async (__, n) => ({
      name: `${n}.jpg`,
      bytes: await uniquePhoto(),
    }))
    await sendFiles(site.api, eventId, await Promise.all(files), 'Aunt Marta')
    await waitUntilReady(eventId, 40)
    const page = await site.newPage(options)
    await page.goto(`/gallery?eventId=${eventId}`)
    // What is above the photos has come.
    await page.getByRole('button', { name: 'Save all' }).waitFor()
    const large = page.getByRole('dialog')
    const close = () => large.getByRole('button', { name: 'Close' }).click()
    const scrollTop = () => page.evaluate(() => window.scrollY)

    // With the upper part of a tile out of sight.
    const tile = page.locator('[data-index="8"] [data-main]')
    const { y: tileTop = 0 } = (await tile.boundingBox()) ?? {}
    const top = Math.round(tileTop) + 40
    const scroll = () => page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top)
    /** The point near the top of the first tile that begins at this height or below it. */
    const findTile = (height: number) =>
      page.evaluate((at) => {
        const boxes = [...document.querySelectorAll('[data-main]')].map((each) =>
          each.getBoundingClientRect(),
        )
        const box = boxes.find((each) => each.top >= at)
        return { x: (box?.left ?? 0) + 20, y: Math.max(10, (box?.top ?? 0) + 20) }
      }, height)

    for (const [height, end] of [
      [-45, close],
      [-45, () => page.goBack()],
      [150, close],
      [150, () => page.keyboard.press('Escape')],
    ] as const) {
      await scroll()
      const { x, y } = await findTile(height)
      await page.mouse.click(x, y)
      await large.waitFor()
      await end()
      await large.waitFor({ state: 'detached' })
      await page.locator('[data-main]:focus').waitFor()
      expect(await scrollTop()).toBe(top)
    }

    const { x, y } = await findTile(-45)
    await page.mouse.click(x, y)
    await large.waitFor()
    await page.keyboard.press('End')
    await large.getByText('40 of 40').waitFor()
    await page.goBack()
    const last = page.locator('[data-index="39"] [data-main]')
    await waitForFocus(page, last)
    const box = await last.boundingBox()
    const bottom = (box?.y ?? Infinity) + (box?.height ?? 0)
    // Cells are at whole pixels, the page may be scrolled by parts of one.
    expect(bottom).toBeLessThan(options.viewport.height + 1)
  },
)
