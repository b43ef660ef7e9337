import {
  createWall,
  deleteEvent,
  getEvent,
  getPreviewPicture,
  previewEvent,
  setUploadsVisibility,
  updateEvent,
  type Event,
  type EventSettings,
} from '@confetti/contracts'
import { call, newEvent, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { beforeAll, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { waitForProcessing, type Harness } from './harness.ts'
import { joinBundledSystem } from './shared-system.ts'

let harness: Harness
beforeAll(async () => {
  harness = await joinBundledSystem()
}, 300_000)

const load = async (event: Event, contract: typeof previewEvent | typeof getPreviewPicture) => {
  const response = await fetch(harness.api + contract.path.replace('{eventId}', event._id))
  const type = response.headers.get('content-type')
  return { status: response.status, type, bytes: Buffer.from(await response.arrayBuffer()) }
}

const change = async (event: Event, settings: EventSettings): Promise<void> => {
  const { status } = await call(harness.api, updateEvent, {
    token: harness.organiser.token,
    params: { eventId: event._id },
    body: { settings },
  })
  expect(status).toBe(200)
}

/** An event whose cover is a photo of its guests. */
const newEventWithCover = async (isHidden: boolean): Promise<Event> => {
  const { api, admin, organiser } = harness
  const event = await newEvent(api, admin, organiser)
  const { body } = await sendFiles(api, event._id, [{ name: 'cover.jpg', bytes: await uniquePhoto() }])
  const uploadId = String(body.uploads[0]._id)
  expect(await waitForProcessing(harness, uploadId, event._id)).toMatchObject({ status: 'ready' })
  await change(event, { cover: uploadId, gallery: 'on', revealAt: '2090-01-01T00:00:00.000Z' })
  if (isHidden) {
    const { status } = await call(api, setUploadsVisibility, {
      token: admin.token,
      params: { eventId: event._id },
      body: { uploadIds: [uploadId], visibility: 'hidden' },
    })
    expect(status).toBe(200)
  }
  return event
}

test('When guests see the cover of an event, then it is the picture of its preview, as a JPEG of the size that chats show', async () => {
  const [shown, hidden] = [await newEventWithCover(false), await newEventWithCover(true)]
  const cover = await load(shown, getPreviewPicture)
  expect([cover.status, cover.type]).toEqual([200, 'image/jpeg'])
  expect(await sharp(cover.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1_200, height: 630 })
  expect(cover.bytes.length).toBeLessThan(300_000)

  const product = await load(hidden, getPreviewPicture)
  expect(await sharp(product.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1_200, height: 630 })
  expect(product.bytes.equals(cover.bytes)).toBe(false)
  expect(
    product.bytes.equals(
      (await load(await newEvent(harness.api, harness.admin, harness.organiser), getPreviewPicture)).bytes,
    ),
  ).toBe(true)
})

test('When a crawler previews an event, then the page has nothing that a guest does not see', async () => {
  const { api, admin, organiser } = harness
  const event = await newEvent(api, admin, organiser)
  await change(event, { welcome: 'Bienvenue', language: 'fr', maxFiles: 4_321 })
  const wall = await call(api, createWall, { token: organiser.token, params: { eventId: event._id } })
  const { body: guestView } = await call(api, getEvent, { params: { eventId: event._id } })
  const { status, type, bytes } = await load(event, previewEvent)
  const page = bytes.toString()
  expect([status, type]).toEqual([200, 'text/html; charset=utf-8'])
  for (const shown of ['lang="fr"', String(guestView.name), 'Bienvenue', `/upload?eventId=${event._id}`])
    expect(page).toContain(shown)
  const { hash } = new URL(String(wall.body.url))
  for (const secret of [organiser.user.email, organiser.user._id, hash.slice(1), event.shortCode, '4321'])
    expect(page).not.toContain(secret)
})

test('When an event has a PIN, then its preview has its name and language, and nothing else of it', async () => {
  const { api, admin, organiser } = harness
  const event = await newEventWithCover(false)
  await change(event, { pin: 'Tulip42', welcome: 'Bienvenue', language: 'fr' })
  const { body } = await call(api, getEvent, { params: { eventId: event._id } })
  expect([body.code, body.details]).toEqual(['pin_required', { name: event.name, language: 'fr' }])
  const { status, bytes } = await load(event, previewEvent)
  const page = bytes.toString()
  expect(status).toBe(200)
  for (const shown of ['lang="fr"', event.name]) expect(page).toContain(shown)
  for (const secret of ['Bienvenue', 'Tulip42', 'key=', event.startDate]) expect(page).not.toContain(secret)
  const picture = await load(event, getPreviewPicture)
  const product = await load(await newEvent(api, admin, organiser), getPreviewPicture)
  expect([picture.status, picture.bytes.equals(product.bytes)]).toEqual([200, true])
})

test('When an event is deleted, then its link has no preview, like one that never had an event', async () => {
  const { api, admin, organiser } = harness
  const event = await newEvent(api, admin, organiser)
  await call(api, deleteEvent, { token: admin.token, params: { eventId: event._id } })
  for (const contract of [previewEvent, getPreviewPicture]) {
    const deleted = await load(event, contract)
    const unknown = await load({ ...event, _id: 'f'.repeat(24) }, contract)
    expect([deleted.status, unknown.status]).toEqual([404, 404])
    expect(JSON.parse(deleted.bytes.toString()).code).toBe('event_not_found')
  }
})
