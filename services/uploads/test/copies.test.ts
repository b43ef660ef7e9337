import { BlobServiceClient } from '@azure/storage-blob'
import {
  blobNames,
  createGalleryArchive,
  deleteMyUpload,
  listGallery,
  listGuestUploads,
  setMyUploadsVisibility,
  updateEvent,
  type Archive,
  type Event,
  type GalleryUpload,
  type GuestUpload,
} from '@confetti/contracts'
import { call, eventually, newEvent, readCounter, readSample, type SampleName } from '@confetti/test-kit'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  asGuest,
  changeSettings,
  eventWith,
  newGuest,
  sendPhoto,
  startGallerySystem,
  type GallerySystem,
} from './gallery-event.ts'

let context: GallerySystem
beforeAll(async () => {
  context = await startGallerySystem(
    { SWEEP_INTERVAL_MS: '300' },
    { services: ['auth', 'events', 'uploads', 'media'] },
  )
})
afterAll(() => context.stop())

const galleryOf = async ({ _id }: Event, query: Record<string, string> = {}) =>
  (await call(context.url, listGallery, { params: { eventId: _id }, query })).body as {
    uploads: GalleryUpload[]
    version: string
    reset?: boolean
  }
const ownOf = async ({ _id }: Event, guest: string) =>
  (await call(context.url, listGuestUploads, { headers: asGuest(guest), query: { eventId: _id } })).body
    .uploads as GuestUpload[]
const whenSaveable = (event: Event, id: string) =>
  eventually(
    async () => (await galleryOf(event)).uploads.find(({ _id, saveUrl }) => _id === id && saveUrl)?.saveUrl,
    'the copy',
  )
const archiveOf = ({ _id }: Event, body: object = {}, guest?: string) =>
  call(context.url, createGalleryArchive, {
    params: { eventId: _id },
    body,
    ...(guest && { headers: asGuest(guest) }),
  })
const blobsOf = async (uploadId: string): Promise<string[]> => {
  const container = BlobServiceClient.fromConnectionString(context.system.backends.blob).getContainerClient(
    context.system.namespace,
  )
  const names: string[] = []
  for await (const { name } of container.listBlobsFlat({ prefix: blobNames.folder(uploadId) }))
    names.push(name)
  return names
}
const turnOff = ({ _id }: Event) =>
  call(context.system.url('events'), updateEvent, {
    token: context.organiser.token,
    params: { eventId: _id },
    body: { settings: { save: 'off' } },
  })
const hide = ({ _id }: Event, id: string) =>
  call(context.url, setMyUploadsVisibility, {
    token: context.organiser.token,
    params: { eventId: _id },
    body: { uploadIds: [id], visibility: 'hidden' },
  })
const photoWithPosition = async () => ({
  name: 'IMG_1234 passport.jpg',
  bytes: await readSample('camera-gps.jpg'),
})

test('When a new event has a gallery, then guests can save copies of its photos, under a name that says when and who, until that is turned off', async () => {
  const event = await eventWith(context, { gallery: 'on' })
  const guest = newGuest()
  const id = await sendPhoto(context, event, asGuest(guest), await photoWithPosition(), 'Aunt Marta')
  const saveUrl = await whenSaveable(event, id)
  const response = await fetch(saveUrl)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/jpeg')
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d Aunt Marta\.jpg"$/,
  )
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.includes('GPS')).toBe(false)
  expect((await ownOf(event, guest))[0]?.saveUrl).toBeDefined()

  // What a page knows has links to copies: it gets all again.
  const { version } = await galleryOf(event)
  await turnOff(event)
  const off = await eventually(async () => {
    const page = await galleryOf(event, { since: version })
    return page.reset && !page.uploads[0]?.saveUrl && page
  }, 'the setting')
  expect(off.uploads).toHaveLength(1)
  expect(off.uploads[0]).not.toHaveProperty('saveUrl')
  expect((await ownOf(event, guest))[0]).not.toHaveProperty('saveUrl')
  await eventually(async () => (await archiveOf(event)).body.code === 'save_off', 'the refusal')
})

test('When guests save a HEIC or a video, then they get a JPEG, and a video that every phone plays', async () => {
  const event = await eventWith(context, { gallery: 'on' })
  const save = async (name: SampleName) => {
    const id = await sendPhoto(context, event, {}, { name, bytes: await readSample(name) })
    const response = await fetch(await whenSaveable(event, id))
    const { headers } = response
    return {
      type: headers.get('content-type'),
      name: headers.get('content-disposition'),
      bytes: Buffer.from(await response.arrayBuffer()),
    }
  }
  const photo = await save('iphone-13.heic')
  expect(photo).toMatchObject({
    type: 'image/jpeg',
    // On the clocks of the event, which are an hour behind those of the photo.
    name: 'attachment; filename="2022-02-16 11.55.41 Table 4.jpg"',
  })
  expect(photo.bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff')
  expect(photo.bytes.includes('iPhone')).toBe(false)
  const video = await save('video.mov')
  expect(video).toMatchObject({
    type: 'video/mp4',
    name: expect.stringMatching(/^attachment; filename="[\d. -]+ Table 4\.mp4"$/),
  })
  // ISO media, whose index is before its frames: it plays while it is still loading.
  expect(video.bytes.subarray(4, 8).toString()).toBe('ftyp')
  expect(video.bytes.indexOf('moov')).toBeLessThan(video.bytes.indexOf('mdat'))
})

test('When copies are allowed later, then the photos that were there before get theirs, also of a guest without a gallery', async () => {
  const event = await newEvent(context.system.url('events'), context.admin, context.organiser)
  const guest = newGuest()
  const id = await sendPhoto(context, event, asGuest(guest))
  await eventually(async () => (await ownOf(event, guest))[0]?.status === 'ready', 'the photo')
  expect(await blobsOf(id)).not.toContain(blobNames.copy(id))
  await changeSettings(context, event, { save: 'copy' })
  await eventually(async () => (await ownOf(event, guest))[0]?.saveUrl, 'the copy')
  expect(await blobsOf(id)).toContain(blobNames.copy(id))
  expect(
    await readCounter(context.system, 'uploads', 'uploads_copies_total', { step: 'made' }),
  ).toBeGreaterThan(0)

  await call(context.url, deleteMyUpload, {
    token: context.organiser.token,
    params: { eventId: event._id, uploadId: id },
  })
  await eventually(async () => (await blobsOf(id)).length === 0, 'the removal of the copy with its photo')
})

test('When a guest downloads several at once, then the archive has copies of what this guest sees, until one is hidden', async () => {
  const event = await eventWith(context, { gallery: 'on' })
  const guest = newGuest()
  const own = await sendPhoto(context, event, asGuest(guest), await photoWithPosition(), 'Table 4')
  const other = await sendPhoto(context, event, {}, await photoWithPosition(), 'Table 9')
  const pending = await sendPhoto(context, event)
  for (const id of [own, other, pending]) await whenSaveable(event, id)
  await hide(event, pending)

  expect((await archiveOf(event, { uploadIds: [pending] }, guest)).body.code).toBe('upload_not_found')
  expect((await archiveOf(event, { mine: true })).body.code).toBe('no_uploads')
  const mine = await archiveOf(event, { mine: true }, guest)
  expect(mine.body).toMatchObject({ files: 1 })
  const { status, body } = await archiveOf(event, {}, guest)
  expect(status).toBe(201)
  const { url, files, bytes } = body as Archive
  expect(files).toBe(2)
  const zip = new Uint8Array(await (await fetch(url)).arrayBuffer())
  expect(zip.length).toBe(bytes)
  const entries = Object.entries(unzipSync(zip))
  expect(entries.map(([name]) => name)).toEqual([
    expect.stringMatching(/^[\d. -]+ Table 4\.jpg$/),
    expect.stringMatching(/^[\d. -]+ Table 9\.jpg$/),
  ])
  for (const [, content] of entries) expect(Buffer.from(content).includes('GPS')).toBe(false)

  await hide(event, other)
  expect((await fetch(url)).status).toBe(410)
  // A guest keeps what is their own.
  await hide(event, own)
  expect((await fetch((mine.body as Archive).url)).status).toBe(200)
  await turnOff(event)
  await eventually(async () => (await fetch((mine.body as Archive).url)).status === 410, 'the setting')
})
