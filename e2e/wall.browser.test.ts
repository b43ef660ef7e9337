import { deleteWall, setUploadsVisibility, updateEvent } from '@confetti/contracts'
import { call, eventually, newEvent, readSample, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { listUploads } from './harness.ts'
import { lengthenTimers } from './long-timers.ts'
import { joinSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

/** How long the wall shows its button after the pointer has moved. */
const BUTTON_SHOWN_MS = 3_000

const screenSizes = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 1080, height: 1920 },
] as const

const SLIDE_SECONDS = 4

const createEvent = () => newEvent(site.api, site.admin, site.organiser)

/** Creates the link of a live wall on the settings page, with few seconds a photo. */
const createWallLink = async (eventId: string): Promise<string> => {
  const page = await site.newPage({ account: site.organiser })
  await page.goto(`/myevents/${eventId}/settings`)
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByLabel('Time for each photo').selectOption(String(SLIDE_SECONDS))
  const link = await page.getByLabel('Link to the live wall').inputValue()
  await page.context().close()
  return link
}
const sendPhoto = async (eventId: string, photoCredit: string): Promise<void> => {
  const photo = { name: 'photo.jpg', bytes: await uniquePhoto() }
  const { status } = await sendFiles(site.api, eventId, [photo], photoCredit)
  expect(status).toBe(201)
}
const waitForCredit = (page: Page, credit: string) =>
  page.locator('figcaption').filter({ hasText: credit }).waitFor()
/** Whether every picture on the wall is really there. */
const hasPictures = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const pictures = [...document.querySelectorAll<HTMLImageElement>('figure img')]
    return pictures.length > 0 && pictures.every(({ naturalWidth }) => naturalWidth > 0)
  })

test('When photos arrive, then the wall shows them, and a hidden one goes', async () => {
  const { _id: eventId } = await createEvent()
  const wall = await site.newPage({ viewport: screenSizes[0] })
  // A photo stays until another one arrives, or until it is hidden.
  await lengthenTimers(wall, SLIDE_SECONDS * 1_000)
  await wall.goto(await createWallLink(eventId))
  await wall.getByRole('complementary').waitFor()
  await sendPhoto(eventId, 'Aunt Marta')
  await waitForCredit(wall, 'Aunt Marta')
  await sendPhoto(eventId, 'Uncle Tom')
  await waitForCredit(wall, 'Uncle Tom')
  await eventually(() => hasPictures(wall), 'the picture')

  const [tom] = (await listUploads(site, eventId)).filter(({ photoCredit }) => photoCredit === 'Uncle Tom')
  await call(site.api, setUploadsVisibility, {
    token: site.admin.token,
    params: { eventId },
    body: { uploadIds: [tom?._id ?? ''], visibility: 'hidden' },
  })
  await eventually(
    async () => (await wall.locator('figcaption').allInnerTexts()).join() === 'Aunt Marta',
    'the other photo, alone',
  )
})

test('When the link of a wall is revoked while the wall is open, then the wall ends', async () => {
  const { _id: eventId } = await createEvent()
  await sendPhoto(eventId, 'Aunt Marta')
  const wall = await site.newPage({ viewport: screenSizes[0] })
  await wall.goto(await createWallLink(eventId))
  await waitForCredit(wall, 'Aunt Marta')
  await call(site.api, deleteWall, { token: site.organiser.token, params: { eventId } })
  await wall.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  expect(await wall.locator('figure').count()).toBe(0)
})

test('On small and large screens, the photo is inside, and beside it the event and a QR code that can be read from afar', async () => {
  const { _id: eventId } = await createEvent()
  await sendPhoto(eventId, 'Aunt Marta')
  const wall = await site.newPage()
  await wall.goto(await createWallLink(eventId))
  await waitForCredit(wall, 'Aunt Marta')
  for (const { width, height } of screenSizes) {
    await wall.setViewportSize({ width, height })
    const [figure, aside, code] = [
      wall.locator('figure'),
      wall.getByRole('complementary'),
      // Without its white margin.
      wall
        .getByRole('img', { name: /QR code/ })
        .locator('path')
        .last(),
    ]
    for (const part of [figure, wall.locator('figcaption'), aside])
      await eventually(async () => {
        const box = await part.boundingBox()
        return box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height
      }, `the part inside of ${width} px`)
    await eventually(async () => {
      const [photo, side] = [await figure.boundingBox(), await aside.boundingBox()]
      const isBeside = photo && side && (photo.x + photo.width <= side.x || photo.y + photo.height <= side.y)
      return isBeside && ((await code.boundingBox())?.height ?? 0) >= 0.18 * height
    }, `the QR code beside the photo at ${width} px`)
  }
})

test('When somebody moves the pointer, presses F or Enter, then the wall can fill the screen', async () => {
  const { _id: eventId } = await createEvent()
  const wall = await site.newPage({ viewport: screenSizes[0] })
  await lengthenTimers(wall, BUTTON_SHOWN_MS)
  await wall.goto(await createWallLink(eventId))
  await wall.getByRole('complementary').waitFor()
  const isFull = (): Promise<boolean> => wall.evaluate(() => document.fullscreenElement !== null)
  const opacity = (): Promise<string> =>
    wall.getByRole('button').evaluate((button) => getComputedStyle(button).opacity)
  expect(await opacity()).toBe('0')
  await wall.keyboard.press('f')
  await eventually(isFull, 'the full screen by F')
  await wall.keyboard.press('Enter')
  await eventually(async () => !(await isFull()), 'the end of the full screen by Enter')
  await wall.mouse.move(200, 200)
  await eventually(async () => (await opacity()) === '1', 'the button')
  await wall.getByRole('button', { name: 'Full screen' }).click()
  await eventually(isFull, 'the full screen by the button')
  await wall.getByRole('button', { name: 'Exit full screen' }).waitFor()
})

test('When a guest sends a video, then wall and gallery play its rendition', async () => {
  const { _id: eventId } = await createEvent()
  await call(site.api, updateEvent, {
    token: site.organiser.token,
    params: { eventId },
    body: { settings: { gallery: 'on' } },
  })
  const video = { name: 'dance.mov', bytes: await readSample('video.mov') }
  expect((await sendFiles(site.api, eventId, [video])).status).toBe(201)
  const wall = await site.newPage({ viewport: screenSizes[0] })
  await wall.goto(await createWallLink(eventId))
  await eventually(
    async () => (await listUploads(site, eventId)).some(({ videoUrl }) => videoUrl),
    'the rendition',
  )
  const isPlaying = (page: Page): Promise<boolean> =>
    page.evaluate(() => {
      const player = document.querySelector('video')
      return player !== null && player.currentTime > 0 && player.src.includes('/rendition.mp4?')
    })
  await eventually(() => isPlaying(wall), 'the video on the wall')

  const guest = await site.newPage({ viewport: { width: 375, height: 740 } })
  await guest.goto(`/gallery?eventId=${eventId}`)
  await guest
    .getByRole('main')
    .getByRole('button', { name: /^Video/ })
    .first()
    .click()
  await guest.locator('video').evaluate((player: HTMLVideoElement) => player.play())
  await eventually(() => isPlaying(guest), 'the video in the gallery')
})
