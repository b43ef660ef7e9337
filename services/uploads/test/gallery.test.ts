import { createHash, randomBytes } from 'node:crypto'
import {
  createGalleryArchive,
  createWall,
  deleteEvent,
  deleteUpload,
  deleteWall,
  listGallery,
  listGalleryCredits,
  listWall,
  reportUpload,
  setMyUploadsVisibility,
  type Event,
  type GalleryCredit,
  type GalleryUpload,
  type UploadVisibility,
} from '@confetti/contracts'
import { call, eventually, readCounter } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  asGuest,
  changeSettings,
  eventWith,
  makeReady,
  messagesAbout,
  newGuest,
  readyPhoto,
  reportRendition,
  sendPhoto,
  startGallerySystem,
  uploadsOf,
  visibilityOf,
  type GallerySystem,
} from './gallery-event.ts'

let context: GallerySystem

beforeAll(async () => {
  context = await startGallerySystem({ GUEST_REPORTS_PER_HOUR: '3', ADDRESS_REPORTS_PER_HOUR: '1000' })
})
afterAll(async () => {
  await context.stop()
})

const newGallery = (settings: Parameters<typeof eventWith>[1] = {}) =>
  eventWith(context, { gallery: 'on', ...settings })
const change = (event: Event, settings: Parameters<typeof changeSettings>[2]) =>
  changeSettings(context, event, settings)
const look = ({ _id }: Pick<Event, '_id'>, query: Record<string, string> = {}) =>
  call(context.url, listGallery, { params: { eventId: _id }, query })
const readyPhotoBy = (event: Event, credit: string) => readyPhoto(context, event, {}, credit)
const idsOf = (page: { uploads?: unknown }): string[] =>
  (page.uploads as GalleryUpload[]).map(({ _id }) => _id)
const shown = async (event: Event): Promise<string[]> => idsOf((await look(event)).body)
const setVisibility = (event: Event, id: string, visibility: UploadVisibility) =>
  call(context.url, setMyUploadsVisibility, {
    token: context.organiser.token,
    params: { eventId: event._id },
    body: { uploadIds: [id], visibility },
  })

test('When guests ask for a name, then they see what was sent under it, and how many photos and names there are in all', async () => {
  const event = await newGallery()
  const [first, second] = [await readyPhotoBy(event, 'Aunt Marta'), await readyPhotoBy(event, 'Table 9')]
  const third = await readyPhotoBy(event, 'Aunt Marta')
  await sendPhoto(context, event, {}, undefined, 'Not ready')
  await setVisibility(event, await readyPhotoBy(event, 'Hidden'), 'hidden')

  const page = (await look(event, { credit: 'Aunt Marta' })).body
  expect(idsOf(page)).toEqual([third, first])
  expect(page.total).toEqual({ files: 3, guests: 2 })
  const newest = (await look(event, { credit: 'Aunt Marta', limit: '1' })).body
  expect(idsOf(newest)).toEqual([third])
  const next = (await look(event, { credit: 'Aunt Marta', limit: '1', after: String(newest.nextCursor) }))
    .body
  expect(idsOf(next)).toEqual([first])
  expect(next.total).toBeUndefined()
  expect((await look(event, { credit: 'Nobody' })).body.uploads).toEqual([])
  const { body } = await call(context.url, listGalleryCredits, { params: { eventId: event._id } })
  expect(new Map((body.credits as GalleryCredit[]).map((each) => [each.photoCredit, each.files]))).toEqual(
    new Map([
      ['Aunt Marta', 2],
      ['Table 9', 1],
    ]),
  )

  // What changes of other names is not told.
  await setVisibility(event, second, 'hidden')
  const fourth = await readyPhotoBy(event, 'Aunt Marta')
  await readyPhotoBy(event, 'Table 9')
  const changed = (await look(event, { credit: 'Aunt Marta', since: String(page.version) })).body
  expect(idsOf(changed)).toContain(fourth)
  expect((changed.uploads as GalleryUpload[]).every(({ photoCredit }) => photoCredit === 'Aunt Marta')).toBe(
    true,
  )
  expect(changed.removed).toContain(second)
  expect(changed.total).toEqual({ files: 4, guests: 2 })
})

test('When guests look at the gallery, then they see visible uploads that are ready, newest first', async () => {
  const event = await newGallery()
  const [first, second] = [await readyPhoto(context, event), await readyPhoto(context, event)]
  await sendPhoto(context, event)
  const [hidden, pending] = [await readyPhoto(context, event), await readyPhoto(context, event)]
  await setVisibility(event, hidden, 'hidden')
  await setVisibility(event, pending, 'pending')
  expect(await shown(event)).toEqual([second, first])
  await setVisibility(event, pending, 'visible')
  expect(await shown(event)).toEqual([pending, second, first])
  const { admin } = context
  await call(context.url, deleteUpload, { token: admin.token, params: { uploadId: second } })
  expect(await shown(event)).toEqual([pending, first])
})

test('When the rendition of a video is stored, then gallery and members get a link to it, and open pages are notified of it', async () => {
  const event = await newGallery()
  const early = await sendPhoto(context, event)
  await reportRendition(context, early)
  const upload = await readyPhoto(context, event)
  expect((await look(event)).body.uploads[0]).not.toHaveProperty('videoUrl')
  const changes = () => messagesAbout(context, 'upload.changed.v1', upload)
  await eventually(() => changes().length === 1, 'the message that it is ready')

  await reportRendition(context, upload)
  await reportRendition(context, upload)
  const { videoUrl } = await eventually(
    async () => ((await look(event)).body.uploads as GalleryUpload[]).find((each) => each.videoUrl),
    'a link to the rendition',
  )
  expect(videoUrl).toContain(`${upload}/rendition.mp4?`)
  expect(new URL(videoUrl ?? '').searchParams.get('sp')).toBe('r')
  await eventually(() => changes().length === 2, 'the message of its rendition')

  // The rendition of the first was stored before its previews.
  await makeReady(context, event, early)
  const [ofMembers] = (await uploadsOf(context, event)).filter(({ _id }) => _id === early)
  expect(ofMembers?.videoUrl).toContain(`${early}/rendition.mp4?`)
  expect(ofMembers).not.toHaveProperty('hasRendition')
  expect(changes()).toHaveLength(2)
})

test('When an event has moderation, then its gallery has only what was approved', async () => {
  const event = await newGallery({ moderation: 'approve' })
  const [approved] = [await readyPhoto(context, event), await readyPhoto(context, event)]
  expect(await shown(event)).toEqual([])
  await setVisibility(event, approved, 'visible')
  expect(await shown(event)).toEqual([approved])
})

test('When guests see an upload of another guest, then they get picture, credit and time, and no original, name or position', async () => {
  const event = await newGallery()
  const id = await readyPhoto(context, event)
  const { body } = await look(event)
  expect(body).toEqual({
    version: expect.any(String),
    total: { files: 1, guests: 1 },
    uploads: [
      {
        _id: id,
        photoCredit: 'Table 4',
        takenAt: '2026-06-12T21:40:07Z',
        takenAtSource: 'exif-local',
        uploadedAt: expect.any(String),
        width: 4_000,
        height: 3_000,
        thumbnailUrl: expect.stringContaining(`${id}/thumbnail.webp?`),
        previewUrl: expect.stringContaining(`${id}/preview.webp?`),
      },
    ],
  })
})

test('When links of the gallery are issued, then they only read, and end within 15 minutes', async () => {
  const event = await newGallery()
  await readyPhoto(context, event)
  const [upload] = (await look(event)).body.uploads as GalleryUpload[]
  for (const link of [upload?.thumbnailUrl, upload?.previewUrl]) {
    const { searchParams } = new URL(link ?? '')
    expect(searchParams.get('sp')).toBe('r')
    expect(searchParams.get('sr')).toBe('b')
    const end = new Date(searchParams.get('se') ?? '').getTime()
    expect(end).toBeGreaterThan(Date.now())
    expect(end).toBeLessThanOrEqual(Date.now() + 15 * 60_000)
  }
})

test('When a gallery is off or not yet revealed, then it is 404, and an unknown event, too', async () => {
  const event = await eventWith(context, { uploads: 'open' })
  await readyPhoto(context, event)
  const answer = async (eventId = event._id) => {
    const { status, body } = await look({ _id: eventId })
    return [status, body.code as unknown]
  }
  expect(await answer()).toEqual([404, 'gallery_off'])
  await change(event, { gallery: 'on' })
  await eventually(async () => (await answer())[0] === 200, 'the gallery')
  await change(event, { revealAt: new Date(Date.now() + 3_600_000).toISOString() })
  await eventually(async () => (await answer())[0] === 404, 'the time of the gallery')
  expect(await answer()).toEqual([404, 'gallery_off'])
  await change(event, { revealAt: new Date(Date.now() - 1_000).toISOString() })
  await eventually(async () => (await answer())[0] === 200, 'the gallery')
  await change(event, { gallery: 'off' })
  await eventually(async () => (await answer())[0] === 404, 'the end of the gallery')

  expect(await answer(randomBytes(12).toString('hex'))).toEqual([404, 'event_not_found'])
  expect((await answer('nonsense'))[0]).toBe(404)
})

test('When the gallery is read page by page, then it has each upload once', async () => {
  const event = await newGallery()
  const all: string[] = []
  for (let count = 0; count < 5; count += 1) all.unshift(await readyPhoto(context, event))
  await setVisibility(event, all.splice(2, 1)[0] ?? '', 'hidden')
  const paged: string[] = []
  let after: string | undefined
  do {
    const { body } = await look(event, { limit: '2', ...(after && { after }) })
    paged.push(...(body.uploads as GalleryUpload[]).map(({ _id }) => _id))
    after = body.nextCursor as string | undefined
  } while (after)
  expect(paged).toEqual(all)
  for (const query of [{ limit: '0' }, { limit: '1001' }, { after: 'nonsense' }])
    expect((await look(event, query)).status).toBe(400)
})

const report = async (event: Pick<Event, '_id'>, uploadId: string, guestId?: string) => {
  const { status, body } = await call(context.url, reportUpload, {
    ...(guestId && { headers: asGuest(guestId) }),
    params: { eventId: event._id, uploadId },
  })
  return [status, body.code as unknown]
}

test('When three guests report an upload, then it waits for approval, and one guest counts once', async () => {
  const event = await newGallery()
  const id = await readyPhoto(context, event)
  const [anna, ben, cleo] = [newGuest(), newGuest(), newGuest()]
  for (const guest of [anna, anna, anna, ben])
    expect(await report(event, id, guest)).toEqual([201, undefined])
  expect(await shown(event)).toEqual([id])
  expect(await report(event, id, cleo)).toEqual([201, undefined])
  expect(await shown(event)).toEqual([])
  expect(await visibilityOf(context, event, id)).toBe('pending')
  await eventually(() =>
    messagesAbout(context, 'upload.changed.v1', id).some(({ visibility }) => visibility === 'pending'),
  )
  // Nobody sees it any more.
  expect(await report(event, id, newGuest())).toEqual([404, 'upload_not_found'])
  expect(
    await readCounter(context.system, 'uploads', 'uploads_reports_total', { outcome: 'pending' }),
  ).toBeGreaterThan(0)
})

test('When many guests report an upload at the same time, then no report is lost', async () => {
  const event = await newGallery()
  const id = await readyPhoto(context, event)
  const replies = await Promise.all(Array.from({ length: 3 }, () => report(event, id, newGuest())))
  expect(replies.every(([status]) => status === 201)).toBe(true)
  expect(await visibilityOf(context, event, id)).toBe('pending')
})

test('When an organiser has shown an upload after reports, then further reports do not hide it', async () => {
  const event = await newGallery()
  const [reportedOften, reportedOnce] = [await readyPhoto(context, event), await readyPhoto(context, event)]
  for (let count = 0; count < 3; count += 1) await report(event, reportedOften, newGuest())
  await report(event, reportedOnce, newGuest())
  for (const id of [reportedOften, reportedOnce]) {
    expect((await setVisibility(event, id, 'visible')).status).toBe(200)
    for (let count = 0; count < 4; count += 1)
      expect(await report(event, id, newGuest())).toEqual([201, undefined])
    expect(await shown(event)).toContain(id)
  }
})

test('When an upload was approved before any report, then reports of three guests still hide it', async () => {
  const event = await newGallery({ moderation: 'approve' })
  const id = await readyPhoto(context, event)
  await setVisibility(event, id, 'visible')
  for (let count = 0; count < 3; count += 1) await report(event, id, newGuest())
  expect(await shown(event)).toEqual([])
})

test('When a report is not possible, then it is 404, whatever the reason', async () => {
  const [event, other] = [await newGallery(), await newGallery()]
  const [id, foreign, hidden] = [
    await readyPhoto(context, event),
    await readyPhoto(context, other),
    await readyPhoto(context, event),
  ]
  await setVisibility(event, hidden, 'hidden')
  const processing = await sendPhoto(context, event)
  expect(await report(event, id)).toEqual([404, 'guest_token_missing'])
  for (const uploadId of [foreign, hidden, processing])
    expect(await report(event, uploadId, newGuest())).toEqual([404, 'upload_not_found'])
  expect((await report(event, 'nonsense', newGuest()))[0]).toBe(404)
  expect(await report({ _id: randomBytes(12).toString('hex') }, id)).toEqual([404, 'event_not_found'])
  expect(await report({ _id: randomBytes(12).toString('hex') }, id, newGuest())).toEqual([
    404,
    'event_not_found',
  ])
  await change(event, { gallery: 'off' })
  await eventually(async () => (await report(event, id, newGuest()))[1] === 'gallery_off', 'the change')
})

test('When a guest reports too often, then further reports are rejected, and those of others are not', async () => {
  const event = await newGallery()
  const id = await readyPhoto(context, event)
  const guest = newGuest()
  for (let count = 0; count < 3; count += 1) expect((await report(event, id, guest))[0]).toBe(201)
  expect(await report(event, id, guest)).toEqual([429, 'too_many_requests'])
  expect((await report(event, id, newGuest()))[0]).toBe(201)
})

test('When archives of copies are asked for without a token again and again, then that is limited, and guests with one are not', async () => {
  const event = await newGallery({ save: 'copy' })
  const archiveOf = async (headers = {}) => {
    const params = { eventId: event._id }
    return (await call(context.url, createGalleryArchive, { params, headers, body: {} })).body.code
  }
  for (let count = 0; count < 600; count += 50)
    expect(new Set(await Promise.all(Array.from({ length: 50 }, () => archiveOf())))).toEqual(
      new Set(['no_uploads']),
    )
  expect(await archiveOf()).toBe('too_many_requests')
  expect(await archiveOf(asGuest(newGuest()))).toBe('no_uploads')
})

const createLink = async ({ _id }: Event): Promise<string> => {
  const { body } = await call(context.system.url('events'), createWall, {
    token: context.organiser.token,
    params: { eventId: _id },
  })
  return new URL(String(body.url)).hash.slice(1)
}
const lookAtWall = async (event: Pick<Event, '_id'>, key?: string) => {
  const { status, body } = await call(context.url, listWall, {
    ...(key !== undefined && { headers: { 'X-Wall-Key': key } }),
    params: { eventId: event._id },
  })
  return { status, uploads: body.uploads as GalleryUpload[] | undefined }
}

test('When the live wall has the right key, then it gets what the gallery would have, whether it is on or not', async () => {
  const event = await eventWith(context, { moderation: 'approve' })
  const [approved] = [await readyPhoto(context, event), await readyPhoto(context, event)]
  await setVisibility(event, approved, 'visible')
  const key = await createLink(event)
  const { uploads } = await eventually(async () => {
    const answer = await lookAtWall(event, key)
    return answer.status === 200 && answer
  }, 'the key')
  expect(uploads?.map(({ _id }) => _id)).toEqual([approved])
  expect((await look(event)).status).toBe(404)
  await change(event, { gallery: 'on' })
  await eventually(async () => (await look(event)).status === 200, 'the gallery')
  const [inGallery] = (await look(event)).body.uploads as GalleryUpload[]
  expect(Object.keys(inGallery ?? {}).toSorted()).toEqual(Object.keys(uploads?.[0] ?? {}).toSorted())
})

test('When the key of the live wall is wrong or missing, then it is 404', async () => {
  const event = await newGallery()
  const key = await createLink(event)
  await eventually(async () => (await lookAtWall(event, key)).status === 200, 'the key')
  const hash = createHash('sha256').update(key).digest('hex')
  const changed = key.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
  for (const wrong of [undefined, '', 'nonsense', hash, `${key}x`, key.slice(1), changed, 'x'.repeat(5_000)])
    expect([wrong, (await lookAtWall(event, wrong)).status]).toEqual([wrong, 404])
  const other = await newGallery()
  expect((await lookAtWall(other, key)).status).toBe(404)
  for (const eventId of [randomBytes(12).toString('hex'), 'nonsense'])
    expect((await lookAtWall({ _id: eventId }, key)).status).toBe(404)
  expect(context.system.log.join('\n')).not.toContain(key)
})

test('When the link to the live wall is ended or created again, then the earlier key is 404', async () => {
  const event = await newGallery()
  const first = await createLink(event)
  await eventually(async () => (await lookAtWall(event, first)).status === 200, 'the first key')
  const second = await createLink(event)
  await eventually(async () => (await lookAtWall(event, second)).status === 200, 'the second key')
  expect((await lookAtWall(event, first)).status).toBe(404)
  await call(context.system.url('events'), deleteWall, {
    token: context.organiser.token,
    params: { eventId: event._id },
  })
  await eventually(async () => (await lookAtWall(event, second)).status === 404, 'the end of the link')
})

test('When an event with a gallery is deleted, then nothing of its guests, reports and key is left', async () => {
  const event = await newGallery()
  const guest = newGuest()
  const id = await readyPhoto(context, event, asGuest(guest))
  await report(event, id, newGuest())
  const key = await createLink(event)
  await eventually(async () => (await lookAtWall(event, key)).status === 200, 'the key')
  const { admin, system } = context
  await call(system.url('events'), deleteEvent, { token: admin.token, params: { eventId: event._id } })
  await eventually(
    async () => (await look(event)).status === 404 && (await lookAtWall(event, key)).status === 404,
  )
  const contents = async (): Promise<string> => {
    const collections = await context.database.listCollections()
    const documents = await Promise.all(
      collections.map(({ name }) => context.database.collection(name).find().toArray()),
    )
    return JSON.stringify(documents)
  }
  const hash = createHash('sha256').update(key).digest('hex')
  await eventually(async () => {
    const text = await contents()
    return [event._id, id, guest, hash].every((secret) => !text.includes(secret))
  }, 'the erasure')
})
