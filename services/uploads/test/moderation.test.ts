import { randomBytes } from 'node:crypto'
import {
  DECODER_VERSION,
  deleteMyUpload,
  deleteUpload,
  getCoverPicture,
  getEventCover,
  listMyEventUploads,
  MAX_PAGE_SIZE,
  setMyUploadsVisibility,
  setUploadsVisibility,
  type Event,
  type Upload,
  type UploadVisibility,
} from '@confetti/contracts'
import { newMessage, toEnvelope } from '@confetti/messaging'
import {
  call,
  eventually,
  mongoOperators,
  newOrganiser,
  readCounter,
  sendDirect,
  type ApiResponse,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose from 'mongoose'
import {
  changeSettings,
  eventWith,
  makeReady,
  messagesAbout,
  photo,
  readyPhoto,
  sendPhoto,
  startGallerySystem,
  uploadsOf,
  visibilityOf,
  type GallerySystem,
} from './gallery-event.ts'

let context: GallerySystem

beforeAll(async () => {
  context = await startGallerySystem()
})
afterAll(async () => {
  await context.stop()
})

const newEventWith = (settings: Parameters<typeof eventWith>[1]) => eventWith(context, settings)
const setMine = (
  { _id }: Event,
  uploadIds: string[],
  visibility: UploadVisibility,
  token = context.organiser.token,
): Promise<ApiResponse> =>
  call(context.url, setMyUploadsVisibility, {
    token,
    params: { eventId: _id },
    body: { uploadIds, visibility },
  })
const auditOf = (uploadId: string, action: string) =>
  messagesAbout(context, 'audit.recorded.v1', uploadId).filter((entry) => entry.action === action)
const changesOf = (uploadId: string) => messagesAbout(context, 'upload.changed.v1', uploadId)

test('When an event has moderation, then uploads wait for approval, however they are sent, and only while it is on', async () => {
  const event = await newEventWith({ moderation: 'approve' })
  const inForm = await sendPhoto(context, event)
  const { body } = await sendDirect(context.url, event._id, await photo())
  const direct = String(body.uploads[0]._id)
  for (const id of [inForm, direct]) expect(await visibilityOf(context, event, id)).toBe('pending')

  await changeSettings(context, event, { moderation: 'off' })
  await eventually(async () => {
    const id = await sendPhoto(context, event)
    return (await visibilityOf(context, event, id)) === 'visible'
  }, 'the change')
  expect(await visibilityOf(context, event, inForm)).toBe('pending')
})

test('When an event has no moderation, then its uploads are visible', async () => {
  const event = await newEventWith({ uploads: 'open' })
  const inForm = await sendPhoto(context, event)
  await sendDirect(context.url, event._id, await photo())
  const visibilities = (await uploadsOf(context, event)).map(({ visibility }) => visibility)
  expect(visibilities).toEqual(['visible', 'visible'])
  const { body } = await call(context.url, listMyEventUploads, {
    token: context.organiser.token,
    params: { eventId: event._id },
  })
  expect((body.uploads as Upload[]).find(({ _id }) => _id === inForm)?.visibility).toBe('visible')
})

test('When the same photo is sent again, then it keeps its visibility', async () => {
  const event = await newEventWith({ moderation: 'approve' })
  const file = await photo()
  const id = await sendPhoto(context, event, {}, file)
  await setMine(event, [id], 'hidden')
  expect(await sendPhoto(context, event, {}, file)).toBe(id)
  const { body } = await sendDirect(context.url, event._id, file, { sha256: '' })
  expect(body.uploads ?? []).toMatchObject([{ _id: id, duplicate: true }])
  expect(await visibilityOf(context, event, id)).toBe('hidden')
})

const changeCounts = () =>
  Promise.all(
    ['visible', 'hidden'].map((visibility) =>
      readCounter(context.system, 'uploads', 'uploads_visibility_changes_total', { visibility }),
    ),
  )

test('When an organiser shows and hides uploads, then each change is published, counted and audited once', async () => {
  const [shownBefore = 0, hiddenBefore = 0] = await changeCounts()
  const event = await newEventWith({ moderation: 'approve' })
  const [first, second] = [await sendPhoto(context, event), await sendPhoto(context, event)]
  const { status, body } = await setMine(event, [first, second, first], 'visible')
  expect([status, body.uploadIds]).toEqual([200, [first, second]])
  expect((await setMine(event, [first], 'visible')).body.uploadIds).toEqual([first])
  await makeReady(context, event, first)
  await setMine(event, [first], 'hidden')

  await eventually(
    () => changesOf(first).length >= 3 && auditOf(first, 'upload.visibility-changed').length >= 2,
  )
  const about = { uploadId: first, eventId: event._id }
  expect(changesOf(first)).toEqual([
    { ...about, status: 'processing', visibility: 'visible' },
    { ...about, status: 'ready', visibility: 'visible' },
    { ...about, status: 'ready', visibility: 'hidden' },
  ])
  expect(auditOf(first, 'upload.visibility-changed')).toMatchObject([
    {
      actor: { _id: context.organiser.user._id },
      eventId: event._id,
      details: { visibility: { from: 'pending', to: 'visible' } },
    },
    { details: { visibility: { from: 'visible', to: 'hidden' } } },
  ])
  expect(await visibilityOf(context, event, first)).toBe('hidden')
  expect(await visibilityOf(context, event, second)).toBe('visible')
  expect(await changeCounts()).toEqual([shownBefore + 2, hiddenBefore + 1])
})

test('When the cover is hidden, or waits for approval after reports, then guests do not see it', async () => {
  const event = await newEventWith({ gallery: 'on' })
  const uploadId = await readyPhoto(context, event)
  await changeSettings(context, event, { cover: uploadId })
  const cover = () => call(context.url, getEventCover, { params: { eventId: event._id } })
  // Within the time that a replica uses its copy of the event.
  await eventually(async () => (await cover()).status === 200, 'the cover')
  for (const visibility of ['hidden', 'pending'] as const) {
    await setMine(event, [uploadId], visibility)
    // The previews of links do not show it either.
    for (const contract of [getEventCover, getCoverPicture]) {
      const { status, body } = await call(context.url, contract, { params: { eventId: event._id } })
      expect([contract.path, status, body.code]).toEqual([contract.path, 404, 'no_cover'])
    }
  }
  await setMine(event, [uploadId], 'visible')
  expect((await cover()).status).toBe(200)
})

const handledResults = async (): Promise<number> => {
  const counts = ['uploads.media-processed', 'uploads.media-failed'].map((queue) =>
    readCounter(context.system, 'uploads', 'messaging_handled_total', { queue, outcome: 'handled' }),
  )
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
const isPublished = async (uploadId: string): Promise<boolean> => {
  const stored = await context.database
    .collection('uploads')
    .findOne({ _id: new mongoose.Types.ObjectId(uploadId) })
  return stored?.outboxPending === false
}

test('When media publishes a result again, or fails, then only what has changed is published', async () => {
  const event = await newEventWith({ uploads: 'open' })
  const [ready, failed] = [await sendPhoto(context, event), await sendPhoto(context, event)]
  const handledBefore = await handledResults()
  await makeReady(context, event, ready)
  await makeReady(context, event, ready)
  await context.messages.publish(
    toEnvelope(
      newMessage('media.failed.v1', {
        uploadId: failed,
        reason: 'The photo is damaged.',
        decoderVersion: DECODER_VERSION,
      }),
      '/services/media',
    ),
  )
  await eventually(async () => (await handledResults()) === handledBefore + 3, 'all results to be handled')
  for (const id of [ready, failed]) {
    await eventually(() => isPublished(id), 'the outbox to be empty')
    await eventually(() => changesOf(id).length > 0, 'the change')
  }
  expect(changesOf(failed)).toMatchObject([{ status: 'failed', visibility: 'visible' }])
  expect(changesOf(ready)).toMatchObject([{ status: 'ready', visibility: 'visible' }])
})

test('When uploads do not exist or belong to another event, then they are left out, and stay as they are', async () => {
  const [event, other] = [await newEventWith({ uploads: 'open' }), await newEventWith({ uploads: 'open' })]
  const [own, foreign, deleted] = [
    await sendPhoto(context, event),
    await sendPhoto(context, other),
    await sendPhoto(context, event),
  ]
  const { admin } = context
  await call(context.url, deleteUpload, { token: admin.token, params: { uploadId: deleted } })
  const unknown = randomBytes(12).toString('hex')
  const { body } = await setMine(event, [foreign, unknown, own, deleted], 'hidden')
  expect(body.uploadIds).toEqual([own])
  expect(await visibilityOf(context, other, foreign)).toBe('visible')
})

test('When an admin changes the visibility, then any event will do', async () => {
  const event = await newEventWith({ uploads: 'open' })
  const id = await sendPhoto(context, event)
  const set = (eventId: string, token?: string) =>
    call(context.url, setUploadsVisibility, {
      token,
      params: { eventId },
      body: { uploadIds: [id], visibility: 'hidden' },
    })
  expect((await set(event._id)).status).toBe(401)
  expect((await set(event._id, context.organiser.token)).status).toBe(403)
  for (const eventId of [randomBytes(12).toString('hex'), 'nonsense'])
    expect((await set(eventId, context.admin.token)).status).toBe(404)
  expect((await set(event._id, context.admin.token)).body.uploadIds).toEqual([id])
  expect(await visibilityOf(context, event, id)).toBe('hidden')
})

test('When the caller does not organise the event, then nothing is changed or deleted', async () => {
  const event = await newEventWith({ uploads: 'open' })
  const id = await sendPhoto(context, event)
  const stranger = await newOrganiser(context.system.url('auth'))
  const remove = (token?: string) =>
    call(context.url, deleteMyUpload, { token, params: { eventId: event._id, uploadId: id } })
  expect((await setMine(event, [id], 'hidden', '')).status).toBe(401)
  expect((await setMine(event, [id], 'hidden', context.admin.token)).status).toBe(403)
  expect((await setMine(event, [id], 'hidden', stranger.token)).status).toBe(404)
  expect((await remove()).status).toBe(401)
  expect((await remove(context.admin.token)).status).toBe(403)
  expect((await remove(stranger.token)).status).toBe(404)
  expect(await visibilityOf(context, event, id)).toBe('visible')
})

test('When a change of visibility is malformed or too large, then it is rejected', async () => {
  const event = await newEventWith({ uploads: 'open' })
  const id = await sendPhoto(context, event)
  const send = async (body: unknown) =>
    (
      await call(context.url, setMyUploadsVisibility, {
        token: context.organiser.token,
        params: { eventId: event._id },
        body,
      })
    ).status
  const tooMany = Array.from({ length: MAX_PAGE_SIZE + 1 }, () => id)
  for (const body of [
    {},
    { uploadIds: [], visibility: 'hidden' },
    { uploadIds: tooMany, visibility: 'hidden' },
    { uploadIds: ['nonsense'], visibility: 'hidden' },
    { uploadIds: [id], visibility: 'invisible' },
    ...mongoOperators.flatMap((operator) => [
      { uploadIds: [operator], visibility: 'hidden' },
      { uploadIds: [id], visibility: operator },
    ]),
  ])
    expect([body, await send(body)]).toEqual([body, 400])
  expect(await visibilityOf(context, event, id)).toBe('visible')
})

test('When an organiser deletes an upload of their event, then it is gone and audited, and those of others are 404', async () => {
  const [event, other] = [await newEventWith({ uploads: 'open' }), await newEventWith({ uploads: 'open' })]
  const [own, foreign] = [await sendPhoto(context, event), await sendPhoto(context, other)]
  const remove = (uploadId: string) =>
    call(context.url, deleteMyUpload, {
      token: context.organiser.token,
      params: { eventId: event._id, uploadId },
    })
  for (const id of [foreign, randomBytes(12).toString('hex'), 'nonsense'])
    expect((await remove(id)).status).toBe(404)
  expect(await remove(own)).toMatchObject({ status: 200, body: { message: 'Upload deleted successfully' } })
  expect((await remove(own)).status).toBe(404)
  expect(await uploadsOf(context, event)).toEqual([])
  expect(await uploadsOf(context, other)).toHaveLength(1)
  await eventually(() => auditOf(own, 'upload.deleted').length > 0)
  expect(auditOf(own, 'upload.deleted')).toMatchObject([{ actor: { _id: context.organiser.user._id } }])
})
