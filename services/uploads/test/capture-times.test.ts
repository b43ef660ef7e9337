import {
  createUploads,
  listEventUploads,
  listGallery,
  listGuestUploads,
  listMyEventUploads,
  type Event,
  type GalleryUpload,
  type GuestUpload,
  type MessageData,
  type Upload,
} from '@confetti/contracts'
import { newMessage, toEnvelope } from '@confetti/messaging'
import { call, eventually, sendDirect, uploadForm } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  asGuest,
  changeSettings,
  eventWith,
  newGuest,
  photo,
  sendPhoto,
  startGallerySystem,
  uploadsOf,
  type GallerySystem,
} from './gallery-event.ts'

let context: GallerySystem

beforeAll(async () => {
  context = await startGallerySystem({ SWEEP_INTERVAL_MS: '500' })
})
afterAll(async () => {
  await context.stop()
})

type FileTime = Pick<MessageData<'media.processed.v1'>, 'takenAt' | 'takenAtSource'>

/** Publishes what media has read from a photo, and returns the upload once it is ready. */
const readTime = async (event: Event, uploadId: string, time: FileTime): Promise<Upload> => {
  const message = newMessage('media.processed.v1', { uploadId, width: 4_000, height: 3_000, ...time })
  await context.messages.publish(toEnvelope(message, '/services/media'))
  return eventually(
    async () =>
      (await uploadsOf(context, event)).find(({ _id, status }) => _id === uploadId && status === 'ready'),
    'the upload to be ready',
  )
}

/** One evening in Berlin: a phone, a camera that has no time zone, and a video. Sent in another order than taken. */
const evening = [
  { takenAt: '2026-06-20T18:00:00', takenAtSource: 'exif-local' },
  { takenAt: '2026-06-20T16:15:00Z', takenAtSource: 'container' },
  { takenAt: '2026-06-20T16:30:00+01:00', takenAtSource: 'exif' },
] as const
const inBerlin = ['2026-06-20T17:30:00+02:00', '2026-06-20T18:00:00+02:00', '2026-06-20T18:15:00+02:00']

const sendEvening = async (event: Event): Promise<void> => {
  for (const time of evening) await readTime(event, await sendPhoto(context, event), time)
}

/** All pages of a members' list by capture time. */
const listTaken = async (event: Event): Promise<Upload[]> => {
  const uploads: Upload[] = []
  let after: string | undefined
  do {
    const { body } = await call(context.url, listMyEventUploads, {
      token: context.organiser.token,
      params: { eventId: event._id },
      query: { order: 'taken', limit: '2', ...(after && { after }) },
    })
    uploads.push(...(body.uploads as Upload[]))
    after = body.nextCursor as string | undefined
  } while (after)
  return uploads
}
const timesOf = (uploads: readonly Pick<Upload, 'takenAt'>[]) => uploads.map(({ takenAt }) => takenAt)

test('When phones, cameras and videos of one evening are listed by capture time, then they are in its order, in the time zone of the event', async () => {
  const event = await eventWith(context, { timeZone: 'Europe/Berlin' })
  await sendEvening(event)
  expect(timesOf(await listTaken(event))).toEqual(inBerlin)
  const { body } = await call(context.url, listEventUploads, {
    token: context.admin.token,
    params: { eventId: event._id },
    query: { order: 'taken' },
  })
  expect((body.uploads as Upload[]).map(({ takenAtSource }) => takenAtSource)).toEqual([
    'exif',
    'exif-local',
    'container',
  ])
  // All others are newest first.
  expect(timesOf(await uploadsOf(context, event))).toEqual([inBerlin[0], inBerlin[2], inBerlin[1]])
})

test('When the time zone of an event changes, then its uploads have other times, and those without a zone another place', async () => {
  const event = await eventWith(context, { timeZone: 'Europe/Berlin' })
  await sendEvening(event)
  await changeSettings(context, event, { timeZone: 'America/New_York' })
  await eventually(
    async () => timesOf(await listTaken(event)).every((time) => time?.endsWith('-04:00')),
    'the new times',
  )
  expect(timesOf(await listTaken(event))).toEqual([
    '2026-06-20T11:30:00-04:00',
    '2026-06-20T12:15:00-04:00',
    '2026-06-20T18:00:00-04:00',
  ])
})

test('When a file says nothing about its time, then its name does, or the device that it comes from', async () => {
  const event = await eventWith(context, { timeZone: 'Europe/Berlin', gallery: 'on' })
  const guest = newGuest()
  const lastModified = Date.parse('2026-06-19T10:00:00.250Z')
  const named = { ...(await photo('IMG-20260620-WA0007.jpg')), lastModified }
  const declared = { ...(await photo('image.jpg')), lastModified }
  const { body } = await call(context.url, createUploads, {
    headers: asGuest(guest),
    // The last of them has neither.
    body: uploadForm(event._id, 'Table 4', [named, declared, await photo('image.jpg')]),
  })
  const [namedId, declaredId, otherId] = body.uploads.map(({ _id }: Upload) => _id) as [
    string,
    string,
    string,
  ]
  const direct = await sendDirect(context.url, event._id, { ...(await photo('image.jpg')), lastModified })
  const directId = String(direct.body.uploads[0]._id)

  const expected = new Map<string, object>([
    [namedId, { takenAt: '2026-06-20T12:00:00+02:00', takenAtSource: 'name' }],
    [declaredId, { takenAt: '2026-06-19T12:00:00+02:00', takenAtSource: 'declared' }],
    [directId, { takenAt: '2026-06-19T12:00:00+02:00', takenAtSource: 'declared' }],
    [otherId, {}],
  ])
  const check = (uploads: readonly (Upload | GuestUpload | GalleryUpload)[], ids: readonly string[]) => {
    for (const id of ids) {
      const found = uploads.find(({ _id }) => _id === id)
      expect({ takenAt: found?.takenAt, takenAtSource: found?.takenAtSource }).toEqual({
        takenAt: undefined,
        takenAtSource: undefined,
        ...expected.get(id),
      })
    }
  }
  check(await uploadsOf(context, event), [...expected.keys()])
  const own = await call(context.url, listGuestUploads, {
    headers: asGuest(guest),
    query: { eventId: event._id },
  })
  check(own.body.uploads as GuestUpload[], [namedId, declaredId, otherId])
  // A camera whose clock was wrong.
  await readTime(event, namedId, { takenAt: '2098-06-20T18:00:00', takenAtSource: 'exif-local' })
  const gallery = await call(context.url, listGallery, { params: { eventId: event._id }, query: {} })
  check(gallery.body.uploads as GalleryUpload[], [namedId])
})

test('When the time in a form is no number, then the form is refused, and nothing is stored', async () => {
  const event = await eventWith(context, {})
  const form = new FormData()
  form.set('eventId', event._id)
  form.set('photoCredit', 'Table 4')
  form.set('lastModified', 'yesterday')
  form.set('media', new Blob([(await photo()).bytes]), 'photo.jpg')
  const { status, body } = await call(context.url, createUploads, { body: form })
  expect([status, body.details]).toEqual([
    400,
    [
      {
        field: 'lastModified',
        message: 'lastModified is a whole number of milliseconds since 1970.',
        code: 'malformed',
      },
    ],
  ])
  expect(await uploadsOf(context, event)).toEqual([])
})

/** Makes the uploads of an event what an earlier version has stored, and its copy, too. */
const storeAsBefore = async (event: Event, copyFields: Record<string, ''> = {}): Promise<void> => {
  await context.database
    .collection('uploads')
    .updateMany(
      { eventId: event._id },
      { $unset: { takenAtSource: '', capturedAt: '', captureSource: '', captureZone: '' } },
    )
  await context.database
    .collection<{ _id: string }>('events')
    .updateOne({ _id: event._id }, { $unset: { captures: '', ...copyFields } })
}
const waitForSweep = (event: Event) =>
  eventually(
    async () =>
      (await context.database
        .collection('uploads')
        .countDocuments({ eventId: event._id, capturedAt: null })) === 0,
    'the sweep',
  )

test('When an earlier version has stored uploads, then the sweep finds out when they were taken', async () => {
  const event = await eventWith(context, { timeZone: 'Europe/Berlin' })
  await sendEvening(event)
  await storeAsBefore(event)
  await waitForSweep(event)
  expect(timesOf(await listTaken(event))).toEqual(inBerlin)
})

test('When the copy of an event is of a version that had no time zones, then the sweep asks for its time zone', async () => {
  const event = await eventWith(context, { timeZone: 'Europe/Berlin' })
  await sendEvening(event)
  await storeAsBefore(event, { timeZone: '' })
  await waitForSweep(event)
  expect(timesOf(await uploadsOf(context, event))).toEqual([inBerlin[0], inBerlin[2], inBerlin[1]])
})
