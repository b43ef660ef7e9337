import { randomBytes, randomUUID } from 'node:crypto'
import {
  deleteUpload,
  type Envelope,
  type MessageData,
  type MessageType,
  type Upload,
  type User,
} from '@confetti/contracts'
import {
  call,
  counter,
  eventually,
  hearMessages,
  newEvent,
  randomEmail,
  type HeardMessages,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listUploads, whenProcessed } from '../stand.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { newPhoto } from './guest-file.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'

let stand: FaultStand
let heard: HeardMessages

beforeAll(async () => {
  stand = await startFaultStand({ replicas: { uploads: 2, media: 2 } })
  heard = await hearMessages(stand.system)
}, 180_000)
afterAll(async () => {
  await heard.close()
  await stand.stop()
}, 60_000)

const say = <T extends MessageType>(type: T, data: MessageData<T>): Promise<void> =>
  heard.say({
    specversion: '1.0',
    id: randomUUID(),
    type,
    source: '/services/late',
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data,
  } satisfies Envelope<T>)

/** Resolves when all that was said of this type has been handled. */
const whenHandled = async (queue: string, before: number, more: number): Promise<void> => {
  await eventually(async () => (await handled(queue)) >= before + more, `${more} more handled in ${queue}`)
}

const handled = (queue: string): Promise<number> => {
  const [service] = queue.split('.') as ['events' | 'uploads' | 'media']
  return counter(stand.system, service, 'messaging_handled_total', { queue, outcome: 'handled' })
}

const sendOne = async ({ guest, event }: Scene): Promise<Upload> => {
  const one = guest()
  await one.sendUntilKept(await newPhoto())
  const [upload] = await listUploads(stand, event._id)
  return whenProcessed(stand, upload?._id ?? '', event._id)
}

/** An upload that no worker has been told of yet. */
const sendWithoutWorkers = async ({ guest, event }: Scene): Promise<Upload> => {
  await Promise.all(stand.system.replicas('media').map((worker) => worker.stop()))
  await guest().sendUntilKept(await newPhoto())
  const [upload] = await listUploads(stand, event._id)
  if (!upload) throw new Error('It is not listed')
  return upload
}

const restartWorkers = async (): Promise<void> => {
  await Promise.all(stand.system.replicas('media').map((worker) => worker.restart()))
}

test('When an upload is said to be completed again and again, then it stays one upload and ready', () =>
  play(stand, async (scene) => {
    const upload = await sendOne(scene)
    const before = await handled('media.upload-completed')
    const { _id: uploadId, eventId, contentType, size } = upload
    for (let n = 0; n < 5; n += 1) await say('upload.completed.v1', { uploadId, eventId, contentType, size })
    await whenHandled('media.upload-completed', before, 5)
    expect(await listUploads(stand, scene.event._id)).toMatchObject([
      { _id: uploadId, status: 'ready', width: upload.width, height: upload.height },
    ])
  }))

test('When an upload is said to be completed five times before any worker has begun, then it is ready, once', () =>
  play(stand, async (scene) => {
    const upload = await sendWithoutWorkers(scene)
    const { _id: uploadId, eventId, contentType, size } = upload
    for (let n = 0; n < 4; n += 1) await say('upload.completed.v1', { uploadId, eventId, contentType, size })
    await restartWorkers()
    // These workers have not counted anything before.
    await whenHandled('media.upload-completed', 0, 5)
    await whenProcessed(stand, uploadId, eventId)
    expect(await listUploads(stand, eventId)).toMatchObject([{ _id: uploadId, status: 'ready' }])
  }))

test('When an old failure is told after the success, then the upload stays ready', () =>
  play(stand, async (scene) => {
    const { _id: uploadId } = await sendOne(scene)
    const before = await handled('uploads.media-failed')
    await say('media.failed.v1', { uploadId, reason: 'Told too late' })
    await whenHandled('uploads.media-failed', before, 1)
    const [upload] = await listUploads(stand, scene.event._id)
    expect(upload).toMatchObject({ status: 'ready' })
    expect(upload?.failureReason).toBeUndefined()
  }))

test('When a deleted upload is said to be processed, completed or failed, then it stays deleted and its neighbour stays', () =>
  play(stand, async (scene) => {
    const { _id: uploadId, eventId, contentType, size } = await sendOne(scene)
    await call(stand.api, deleteUpload, { token: stand.admin.token, params: { uploadId } })
    scene.ledger.forget(uploadId)
    const [processed, completed, failed] = [
      await handled('uploads.media-processed'),
      await handled('media.upload-completed'),
      await handled('uploads.media-failed'),
    ]
    await say('media.processed.v1', { uploadId, width: 40, height: 30 })
    await say('upload.completed.v1', { uploadId, eventId, contentType, size })
    await say('media.failed.v1', { uploadId, reason: 'Told too late' })
    await whenHandled('uploads.media-processed', processed, 1)
    await whenHandled('media.upload-completed', completed, 1)
    await whenHandled('uploads.media-failed', failed, 1)
    expect(await listUploads(stand, scene.event._id)).toEqual([])
    await scene.guest().sendUntilKept(await newPhoto())
  }))

test('When the deletion is told before the completion, then nothing of the upload comes back', () =>
  play(stand, async (scene) => {
    const upload = await sendWithoutWorkers(scene)
    const { _id: uploadId, eventId, contentType, size, url } = upload
    await call(stand.api, deleteUpload, { token: stand.admin.token, params: { uploadId } })
    scene.ledger.forget(uploadId)
    await restartWorkers()
    // These workers have not counted anything before.
    await whenHandled('media.upload-deleted', 0, 1)
    await whenHandled('media.upload-completed', 0, 1)
    await say('upload.completed.v1', { uploadId, eventId, contentType, size })
    await whenHandled('media.upload-completed', 0, 2)
    // Read links live for minutes, so the one from before tells whether there are bytes.
    await eventually(async () => (await fetch(url)).status === 404, 'the end of its bytes')
    expect(await listUploads(stand, scene.event._id)).toEqual([])
  }))

test('When events and their organisers are told of twice and late, then guests go on, and each event has its own photos', () =>
  play(stand, async (scene) => {
    const { event, guest } = scene
    const { organiser, admin, api } = stand
    // Nobody but this fact can have told events of it.
    const newcomer: User = { ...organiser.user, _id: randomBytes(12).toString('hex'), email: randomEmail() }
    const told = await eventually(
      () => heard.of('event.created.v1').find(({ data }) => data._id === event._id),
      'the event being told of',
    )
    const before = await handled('uploads.event-created')
    const registered = await handled('events.user-registered')
    await say('event.created.v1', told.data)
    await say('event.created.v1', told.data)
    for (const user of [organiser.user, newcomer, newcomer]) await say('user.registered.v1', user)
    await whenHandled('uploads.event-created', before, 2)
    await whenHandled('events.user-registered', registered, 3)
    // The same photo, under the same name, to two events.
    const photo = await newPhoto()
    await guest('Table 4').sendUntilKept(photo)
    await guest('Table 4', { eventId: stand.event._id }).sendUntilKept(photo)
    for (const user of [organiser.user, newcomer]) {
      const { eventFor } = await newEvent(api, admin, { ...organiser, user })
      expect(eventFor).toEqual({ _id: user._id, email: user.email })
    }
  }))

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
