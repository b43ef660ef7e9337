import {
  createOwnLink,
  deleteEvent,
  deleteGuestUpload,
  endOwnLink,
  getOwnLink,
  GUEST_KEY_HEADER,
  listGuestUploads,
  renameGuestUploads,
  restoreGuestUpload,
  type Event,
  type GuestUpload,
} from '@confetti/contracts'
import { call, eventually, readCounter } from '@confetti/test-kit'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import {
  asGuest,
  eventWith,
  newGuest,
  sendPhoto,
  startGallerySystem,
  type GallerySystem,
} from './gallery-event.ts'

// Guests continue on another device with what they have sent.

let context: GallerySystem
let event: Event
let guest: ReturnType<typeof asGuest>
let photoId: string

beforeAll(async () => {
  context = await startGallerySystem()
})
afterAll(() => context.stop())
beforeEach(async () => {
  event = await eventWith(context, {})
  guest = asGuest(newGuest())
  photoId = await sendPhoto(context, event, guest)
})

const create = (headers: Record<string, string> = guest, eventId = event._id) =>
  call(context.url, createOwnLink, { headers, body: { eventId } })
const createKey = async (): Promise<Record<string, string>> => {
  const { body } = await create()
  return { [GUEST_KEY_HEADER]: new URL(body.url as string).hash.slice(1) }
}
const list = (headers: Record<string, string>, eventId = event._id) =>
  call(context.url, listGuestUploads, { headers, query: { eventId } })
const idsOf = async (headers: Record<string, string>, eventId?: string): Promise<string[]> =>
  ((await list(headers, eventId)).body.uploads as GuestUpload[]).map(({ _id }) => _id)
const take = (headers: Record<string, string>, uploadId = photoId) =>
  call(context.url, deleteGuestUpload, { headers, params: { uploadId } })

test('When a guest creates a link, then its key lists, renames, deletes and restores what they have sent', async () => {
  const { status, body } = await create()
  expect({ status, url: body.url }).toEqual({
    status: 201,
    url: expect.stringMatching(/^https?:\/\/[^/]+\/mine#[\w-]{43}$/),
  })
  const key = await createKey()
  expect((await call(context.url, getOwnLink, { headers: key })).body).toEqual({ eventId: event._id })
  expect(await idsOf(key)).toEqual([photoId])
  const renaming = { headers: key, body: { eventId: event._id, photoCredit: 'Anna' } }
  expect(await call(context.url, renameGuestUploads, renaming)).toMatchObject({ body: { renamed: 1 } })
  expect((await take(key)).status).toBe(200)
  const restored = await call(context.url, restoreGuestUpload, {
    headers: key,
    params: { uploadId: photoId },
  })
  expect(restored.status).toBe(200)
  expect(await idsOf(guest)).toEqual([photoId])
})

test('When links are ended, then their keys open nothing any more, and the oldest of many has ended, too', async () => {
  const first = await createKey()
  const second = await createKey()
  for (let links = 2; links < 11; links += 1) await createKey()
  expect(await idsOf(first)).toEqual([])
  expect(await idsOf(second)).toEqual([photoId])
  const before = await readCounter(context.system, 'uploads', 'uploads_own_links_total', { action: 'ended' })
  const end = () => call(context.url, endOwnLink, { headers: guest, query: { eventId: event._id } })
  expect((await end()).status).toBe(200)
  expect((await end()).status).toBe(200)
  expect(await idsOf(second)).toEqual([])
  expect((await take(second)).status).toBe(404)
  expect(await call(context.url, getOwnLink, { headers: second })).toMatchObject({
    status: 404,
    body: { code: 'own_link_ended' },
  })
  expect(await readCounter(context.system, 'uploads', 'uploads_own_links_total', { action: 'ended' })).toBe(
    before + 10,
  )
})

test('When a key is used for another event of its guest, then it opens nothing there', async () => {
  const other = await eventWith(context, {})
  const otherPhoto = await sendPhoto(context, other, guest)
  const key = await createKey()
  await sendPhoto(context, other, key)
  expect(await idsOf(key, other._id)).toEqual([])
  expect((await take(key, otherPhoto)).status).toBe(404)
  const renaming = { headers: key, body: { eventId: other._id, photoCredit: 'Anna' } }
  expect((await call(context.url, renameGuestUploads, renaming)).status).toBe(404)
  expect(await idsOf(guest, other._id)).toEqual([otherPhoto])
})

test('When a key is unknown, then it opens nothing, also beside a genuine token', async () => {
  const unknown = { [GUEST_KEY_HEADER]: 'a'.repeat(43) }
  expect(await idsOf({ ...guest, ...unknown })).toEqual([])
  expect((await take({ ...guest, ...unknown })).status).toBe(404)
})

test('When a link is asked for without a token, or for an unknown event, then there is none', async () => {
  expect(await create({})).toMatchObject({ status: 404, body: { code: 'guest_token_missing' } })
  expect(await create(guest, 'a'.repeat(24))).toMatchObject({
    status: 404,
    body: { code: 'event_not_found' },
  })
})

test('When the event is deleted, then the link is removed, and only the hash of a key is ever stored', async () => {
  const key = await createKey()
  const links = context.database.collection('ownlinks')
  const stored = await links.find({ eventId: event._id }).toArray()
  expect(stored.length).toBe(1)
  expect(JSON.stringify(stored)).not.toContain(key[GUEST_KEY_HEADER])
  const deletion = { token: context.admin.token, params: { eventId: event._id } }
  expect((await call(context.system.url('events'), deleteEvent, deletion)).status).toBe(200)
  await eventually(async () => (await links.countDocuments({ eventId: event._id })) === 0, 'no link')
})
