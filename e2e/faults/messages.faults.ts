import { randomBytes, randomUUID } from 'node:crypto'
import {
  createEvent,
  deleteEvent,
  deleteUpload,
  eraseUser,
  updateEvent,
  type Envelope,
  type MessageData,
  type MessageType,
  type Upload,
  type User,
} from '@confetti/contracts'
import {
  call,
  readCounter,
  eventually,
  recordMessages,
  newEvent,
  newOrganiser,
  randomEmail,
  sendFiles,
  uniquePhoto,
  type RecordedMessages,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listUploads, waitForProcessing } from '../harness.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

let harness: FaultHarness
let messages: RecordedMessages

beforeAll(async () => {
  harness = await startFaultHarness({ replicas: { uploads: 2, media: 2 } })
  messages = await recordMessages(harness.system)
}, 180_000)
afterAll(async () => {
  await messages.close()
  await harness.stop()
}, 60_000)

const publish = <T extends MessageType>(type: T, data: MessageData<T>): Promise<void> =>
  messages.publish({
    specversion: '1.0',
    id: randomUUID(),
    type,
    source: '/services/late',
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data,
  } satisfies Envelope<T>)

/** The number of messages that the consumers of a queue have handled since their services started. */
const countHandled = (queue: string): Promise<number> => {
  const [service] = queue.split('.') as ['events' | 'uploads' | 'media']
  return readCounter(harness.system, service, 'messaging_handled_total', { queue, outcome: 'handled' })
}

/** Resolves when `more` messages than `before` have been handled. */
const waitForHandled = async (queue: string, before: number, more: number): Promise<void> => {
  await eventually(
    async () => (await countHandled(queue)) >= before + more,
    `${more} more handled in ${queue}`,
  )
}

const uploadProcessedPhoto = async ({ guest, event }: ScenarioContext): Promise<Upload> => {
  await guest().sendUntilStored(await newPhoto())
  const [upload] = await listUploads(harness, event._id)
  return waitForProcessing(harness, upload?._id ?? '', event._id)
}

/** Stops the media workers and uploads a photo, whose message stays in their queue. */
const uploadWithoutWorkers = async ({ guest, event }: ScenarioContext): Promise<Upload> => {
  await Promise.all(harness.system.replicas('media').map((worker) => worker.stop()))
  await guest().sendUntilStored(await newPhoto())
  const [upload] = await listUploads(harness, event._id)
  if (!upload) throw new Error('The upload is not listed')
  return upload
}

const restartWorkers = async (): Promise<void> => {
  await Promise.all(harness.system.replicas('media').map((worker) => worker.restart()))
}

test('When upload.completed is published several times, then there is one upload and it stays ready', () =>
  runScenario(harness, async (context) => {
    const upload = await uploadProcessedPhoto(context)
    const before = await countHandled('media.upload-completed')
    const { _id: uploadId, eventId, contentType, size } = upload
    for (let n = 0; n < 5; n += 1)
      await publish('upload.completed.v1', { uploadId, eventId, contentType, size })
    await waitForHandled('media.upload-completed', before, 5)
    expect(await listUploads(harness, context.event._id)).toMatchObject([
      { _id: uploadId, status: 'ready', width: upload.width, height: upload.height },
    ])
  }))

test('When upload.completed is published five times before any worker has started, then there is one upload and it becomes ready', () =>
  runScenario(harness, async (context) => {
    const upload = await uploadWithoutWorkers(context)
    const { _id: uploadId, eventId, contentType, size } = upload
    for (let n = 0; n < 4; n += 1)
      await publish('upload.completed.v1', { uploadId, eventId, contentType, size })
    await restartWorkers()
    // The counters of restarted workers start at 0.
    await waitForHandled('media.upload-completed', 0, 5)
    await waitForProcessing(harness, uploadId, eventId)
    expect(await listUploads(harness, eventId)).toMatchObject([{ _id: uploadId, status: 'ready' }])
  }))

test('When media.failed arrives after the upload is ready, then the upload stays ready', () =>
  runScenario(harness, async (context) => {
    const { _id: uploadId } = await uploadProcessedPhoto(context)
    const before = await countHandled('uploads.media-failed')
    await publish('media.failed.v1', { uploadId, reason: 'Too late' })
    await waitForHandled('uploads.media-failed', before, 1)
    const [upload] = await listUploads(harness, context.event._id)
    expect(upload).toMatchObject({ status: 'ready' })
    expect(upload?.failureReason).toBeUndefined()
  }))

test('When late messages arrive for a deleted upload, then it stays deleted, and other uploads are not affected', () =>
  runScenario(harness, async (context) => {
    const { _id: uploadId, eventId, contentType, size } = await uploadProcessedPhoto(context)
    await call(harness.api, deleteUpload, { token: harness.admin.token, params: { uploadId } })
    context.uploadLog.recordDeleted(uploadId)
    const [processed, completed, failed] = [
      await countHandled('uploads.media-processed'),
      await countHandled('media.upload-completed'),
      await countHandled('uploads.media-failed'),
    ]
    await publish('media.processed.v1', { uploadId, width: 40, height: 30 })
    await publish('upload.completed.v1', { uploadId, eventId, contentType, size })
    await publish('media.failed.v1', { uploadId, reason: 'Too late' })
    await waitForHandled('uploads.media-processed', processed, 1)
    await waitForHandled('media.upload-completed', completed, 1)
    await waitForHandled('uploads.media-failed', failed, 1)
    expect(await listUploads(harness, context.event._id)).toEqual([])
    await context.guest().sendUntilStored(await newPhoto())
  }))

test('When upload.deleted is handled before upload.completed, then nothing of the upload is created again', () =>
  runScenario(harness, async (context) => {
    const upload = await uploadWithoutWorkers(context)
    const { _id: uploadId, eventId, contentType, size, url } = upload
    await call(harness.api, deleteUpload, { token: harness.admin.token, params: { uploadId } })
    context.uploadLog.recordDeleted(uploadId)
    await restartWorkers()
    // The counters of restarted workers start at 0.
    await waitForHandled('media.upload-deleted', 0, 1)
    await waitForHandled('media.upload-completed', 0, 1)
    await publish('upload.completed.v1', { uploadId, eventId, contentType, size })
    await waitForHandled('media.upload-completed', 0, 2)
    // A read link is valid for minutes, so the earlier one shows whether the blob still exists.
    await eventually(async () => (await fetch(url)).status === 404, 'the deletion of the blob')
    expect(await listUploads(harness, context.event._id)).toEqual([])
  }))

test('When event.created and user.registered arrive twice and late, then guests can upload, and each event has its own photos', () =>
  runScenario(harness, async (context) => {
    const { event, guest } = context
    const { organiser, admin, api } = harness
    // The events service can know this user only from the message below.
    const newcomer: User = { ...organiser.user, _id: randomBytes(12).toString('hex'), email: randomEmail() }
    const created = await eventually(
      () => messages.ofType('event.created.v1').find(({ data }) => data._id === event._id),
      'event.created of the event',
    )
    const createdBefore = await countHandled('uploads.event-created')
    const registeredBefore = await countHandled('events.user-registered')
    await publish('event.created.v1', created.data)
    await publish('event.created.v1', created.data)
    for (const user of [organiser.user, newcomer, newcomer]) await publish('user.registered.v1', user)
    await waitForHandled('uploads.event-created', createdBefore, 2)
    await waitForHandled('events.user-registered', registeredBefore, 3)
    // The same photo, under the same credit, in two events.
    const photo = await newPhoto()
    await guest('Table 4').sendUntilStored(photo)
    await guest('Table 4', { eventId: harness.event._id }).sendUntilStored(photo)
    for (const user of [organiser.user, newcomer]) {
      const { eventFor } = await newEvent(api, admin, { ...organiser, user })
      expect(eventFor).toEqual({ _id: user._id, email: user.email })
    }
  }))

test('When event.changed arrives in the wrong order, and after event.deleted, then the latest change counts, and the event stays deleted', () =>
  runScenario(harness, async (context) => {
    const { organiser, admin, api } = harness
    const event = await newEvent(api, admin, organiser)
    const params = { eventId: event._id }
    const send = async () =>
      (await sendFiles(api, event._id, [{ name: 'photo.jpg', bytes: await uniquePhoto() }])).status
    const published = (uploads: 'closed' | 'open') =>
      eventually(
        () =>
          messages
            .ofType('event.changed.v1')
            .find(({ data }) => data._id === event._id && data.uploads === uploads),
        `the message that the event is ${uploads}`,
      )
    for (const uploads of ['closed', 'open'] as const)
      await call(api, updateEvent, { token: organiser.token, params, body: { settings: { uploads } } })
    const [closed, reopened] = [await published('closed'), await published('open')]
    await eventually(async () => (await send()) === 201, 'the event to be open again')

    const changedBefore = await countHandled('uploads.event-changed')
    await publish('event.changed.v1', reopened.data)
    await publish('event.changed.v1', closed.data)
    await waitForHandled('uploads.event-changed', changedBefore, 2)
    // Replicas cache an event for a moment.
    for (let sent = 0; sent < 5; sent += 1) expect(await send()).toBe(201)

    await call(api, deleteEvent, { token: admin.token, params })
    await eventually(async () => (await send()) === 404, 'the event to be deleted')
    const deletedBefore = await countHandled('uploads.event-changed')
    await publish('event.changed.v1', reopened.data)
    await waitForHandled('uploads.event-changed', deletedBefore, 1)
    for (let sent = 0; sent < 5; sent += 1) expect(await send()).toBe(404)
    await context.guest().sendUntilStored(await newPhoto())
  }))

test('When messages about an account arrive after user.deleted, then no event can be assigned to it', () =>
  runScenario(harness, async (context) => {
    const { admin, api } = harness
    const { user } = await newOrganiser(api)
    const { email } = user
    const deletedBefore = await countHandled('events.user-deleted')
    await call(api, eraseUser, { token: admin.token, params: { userId: user._id } })
    await waitForHandled('events.user-deleted', deletedBefore, 1)
    const [changedBefore, registeredBefore] = [
      await countHandled('events.user-changed'),
      await countHandled('events.user-registered'),
    ]
    await publish('user.changed.v1', { _id: user._id, email, role: 'user', active: true, revision: 9 })
    await publish('user.registered.v1', { _id: user._id, email, role: 'user' })
    await waitForHandled('events.user-changed', changedBefore, 1)
    await waitForHandled('events.user-registered', registeredBefore, 1)
    const { status } = await call(api, createEvent, {
      token: admin.token,
      body: {
        name: 'Wedding',
        description: '',
        startDate: '2030-06-01',
        endDate: '2030-06-02',
        eventFor: user._id,
      },
    })
    expect(status).toBe(400)
    await context.guest().sendUntilStored(await newPhoto())
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
