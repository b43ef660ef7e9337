import { BlobServiceClient } from '@azure/storage-blob'
import {
  blobNames,
  createUploads,
  deleteGuestUpload,
  listEventUploads,
  restoreGuestUpload,
  type Event,
  type Upload,
} from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import { readConfig } from '@confetti/service-kit'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  newTicket,
  putFile,
  readGauge,
  sendDirect,
  sendFiles,
  startTestSystem,
  uniquePhoto,
  uploadForm,
  type Account,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'
import { recoveryConfigSchema } from '../src/config.ts'
import { recoverUploads } from '../src/open-recovery.ts'
import type { LostUpload } from '../src/recovery/recovery.ts'
import { asGuest, newGuest } from './gallery-event.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3_600_000

let system: TestSystem
let database: Connection
let admin: Account
let event: Event
let clockAheadMs = 0
const now = () => new Date(Date.now() + clockAheadMs)

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    clock: now,
    environment: { uploads: { SWEEP_INTERVAL_MS: '500', ORPHAN_QUARANTINE_MS: String(DAY_MS) } },
  })
  database = await mongoose
    .createConnection(databaseUrl(system.backends.mongo, system.namespace, 'uploads'))
    .asPromise()
  admin = await newAdmin(system, system.url('auth'))
  event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')), {
    endsIn: 400,
  })
})
afterAll(async () => {
  await database.close()
  await system.stop()
})

const container = () =>
  BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(system.namespace)
const url = () => system.url('uploads')
const newPhoto = async () => ({ name: 'photo.jpg', bytes: await uniquePhoto() })

/** Sends a photo in a form, and one straight to blob storage. */
const sendTwo = async (): Promise<string[]> => {
  const form = await sendFiles(url(), event._id, [await newPhoto()])
  const direct = await sendDirect(url(), event._id, await newPhoto())
  expect([form.status, direct.status]).toEqual([201, 201])
  return [form, direct].map(({ body }) => (body.uploads as { _id: string }[])[0]?._id ?? '')
}

const waitForMark = async () => {
  const since = now()
  await eventually(async () => {
    const { metadata = {} } = await container().getProperties()
    return new Date(metadata.highwatermark ?? 0) >= since
  }, 'the time in the container')
}
/** Sessions have expired then. */
const passDays = async (days: number) => {
  clockAheadMs += days * DAY_MS
  admin = await newAdmin(system, system.url('auth'))
}
const waitForSweeps = async () => {
  const countSweeps = () => system.log.filter((line) => line.includes('sweep completed')).length
  const before = countSweeps()
  await eventually(() => countSweeps() >= before + 3, 'more sweeps')
}

type Backup = Map<string, mongoose.mongo.Document[]>
const backUp = async (): Promise<Backup> => {
  const backup: Backup = new Map()
  // The lease of a sweep would last for half a minute after the restore.
  for (const { name } of (await database.listCollections()).filter((each) => each.name !== 'leases'))
    backup.set(name, await database.collection(name).find().toArray())
  return backup
}
const restore = async (backup: Backup): Promise<void> => {
  for (const { name } of await database.listCollections()) {
    await database.collection(name).deleteMany({})
    const documents = backup.get(name) ?? []
    if (documents.length > 0) await database.collection(name).insertMany(documents)
  }
}

const list = async (): Promise<Upload[]> => {
  const as = { token: admin.token, params: { eventId: event._id } }
  return (await call(url(), listEventUploads, as)).body.uploads as Upload[]
}
const listIds = async () => (await list()).map(({ _id }) => _id).toSorted()
const expectOriginals = async (ids: readonly string[]) => {
  for (const id of ids) expect(await container().getBlobClient(blobNames.original(id)).exists()).toBe(true)
}

const recover = async (isWriting: boolean, isIgnoringUnknown = false): Promise<LostUpload[]> => {
  const found: LostUpload[] = []
  const config = readConfig(recoveryConfigSchema, {
    MONGO_URL: databaseUrl(system.backends.mongo, system.namespace, 'uploads'),
    BLOB_CONNECTION_STRING: system.backends.blob,
    BLOB_CONTAINER: system.namespace,
  })
  await recoverUploads(config, { isWriting, isIgnoringUnknown }, (upload) => found.push(upload), now)
  return found.toSorted((a, b) => a.uploadId.localeCompare(b.uploadId))
}

test('When the database is restored from a backup, then nothing acknowledged before or after it is deleted, and what it lacks is recovered', async () => {
  const before = await sendTwo()
  await waitForMark()
  const backup = await backUp()
  clockAheadMs += 10 * MINUTE_MS
  const after = await sendTwo()
  const ticket = await newTicket(url(), event._id, await newPhoto())
  const uncompleted = await newPhoto()
  const sent = await newTicket(url(), event._id, uncompleted)
  await putFile(sent.transfer, uncompleted.bytes)
  await waitForMark()

  await restore(backup)
  await eventually(
    async () => (await readGauge(system, 'uploads', 'uploads_database_behind')) === 1,
    'the database being recognised as restored',
  )
  await passDays(60)
  await waitForSweeps()
  await expectOriginals([...before, ...after])
  expect(await listIds()).toEqual(before.toSorted())

  const lost = [...after, sent.uploadId].toSorted().map((uploadId) => ({
    uploadId,
    eventId: event._id,
    outcome: 'recovered',
  }))
  expect(await recover(false)).toEqual(lost)
  expect(await listIds()).toEqual(before.toSorted())
  expect(await recover(true)).toEqual(lost)
  expect(await recover(true)).toEqual([])
  expect(await listIds()).toEqual([...before, ...lost.map(({ uploadId }) => uploadId)].toSorted())
  expect(lost.some(({ uploadId }) => uploadId === ticket.uploadId)).toBe(false)
  const recovered = (await list()).find(({ _id }) => _id === sent.uploadId)
  expect(recovered).toMatchObject({
    contentType: 'image/jpeg',
    size: uncompleted.bytes.length,
    visibility: 'pending',
    status: 'processing',
  })
  expect(Math.abs(Date.parse(recovered?.uploadedAt ?? '') - (now().getTime() - 60 * DAY_MS))).toBeLessThan(
    5 * MINUTE_MS,
  )
  const original = container().getBlobClient(blobNames.original(sent.uploadId))
  expect(await original.downloadToBuffer()).toEqual(uncompleted.bytes)

  await eventually(
    async () => (await readGauge(system, 'uploads', 'uploads_database_behind')) === 0,
    'the end of that',
  )
  await passDays(60)
  await waitForSweeps()
  await expectOriginals([...before, ...after, sent.uploadId])
})

/** In a form: blob storage refuses links of a clock that is days ahead. */
const sendForm = async (): Promise<string> => {
  const { body } = await sendFiles(url(), event._id, [await newPhoto()])
  return (body.uploads as { _id: string }[])[0]?._id ?? ''
}

const isCountedAsRestored = async () => (await readGauge(system, 'uploads', 'uploads_database_behind')) === 1

test('When a photo was taken back at the time of the backup and restored after it, then it is not lost', async () => {
  const as = (guestId: string) => ({ headers: asGuest(guestId) })
  const newPhotoOf = async (guestId: string): Promise<string> => {
    const form = uploadForm(event._id, 'Table 4', [await newPhoto()])
    const { body } = await call(url(), createUploads, { ...as(guestId), body: form })
    return (body.uploads as { _id: string }[])[0]?._id ?? ''
  }
  const [anna, ben] = [newGuest(), newGuest()]
  const [restored, deletedSince] = [await newPhotoOf(anna), await newPhotoOf(ben)]
  const takeBack = (uploadId: string, guestId: string) =>
    call(url(), deleteGuestUpload, { ...as(guestId), params: { uploadId } })
  await takeBack(restored, anna)
  await waitForMark()
  const backup = await backUp()
  expect(
    (await call(url(), restoreGuestUpload, { ...as(anna), params: { uploadId: restored } })).status,
  ).toBe(200)
  clockAheadMs += 10 * MINUTE_MS
  await waitForMark()
  await restore(backup)
  await eventually(isCountedAsRestored, 'the database being recognised as restored')
  await takeBack(deletedSince, ben)
  clockAheadMs += MINUTE_MS
  await waitForSweeps()

  expect(await recover(true)).toEqual([{ uploadId: restored, eventId: event._id, outcome: 'taken back' }])
  await eventually(async () => !(await isCountedAsRestored()), 'the end of that')
  await eventually(
    async () => (await database.collection('uploads').countDocuments({ deletionDueAt: { $ne: null } })) === 0,
    'the deletion of what was taken back since',
  )
  const listed = await list()
  expect(listed.find(({ _id }) => _id === restored)).toMatchObject({ visibility: 'pending' })
  expect(listed.some(({ _id }) => _id === deletedSince)).toBe(false)
  expect((await takeBack(restored, anna)).status).toBe(200)
})

test('When the container is another one, which has more than the database knows, then nothing is removed until that is recovered', async () => {
  await waitForMark()
  const sent = await sendForm()
  const sentAt = now()
  await waitForMark()
  const metadataOf = async () => (await container().getProperties()).metadata ?? {}
  const { highwatermark: _, ...others } = await metadataOf()
  await container().setMetadata(others)
  await database.collection('uploads').deleteOne({ _id: new mongoose.Types.ObjectId(sent) })
  await eventually(isCountedAsRestored, 'the container being recognised as another one')
  await passDays(60)
  await waitForSweeps()
  await expectOriginals([sent])
  expect(await metadataOf()).toEqual(others)

  expect((await recover(true)).map(({ uploadId }) => uploadId)).toEqual([sent])
  await eventually(async () => !(await isCountedAsRestored()), 'the end of that')
  expect(new Date((await metadataOf()).highwatermark ?? 0) > sentAt).toBe(true)
  expect(await metadataOf()).toMatchObject(others)
})

test('When uploads does not know the event of a file yet, then the file is kept, and recovered once it does', async () => {
  await waitForMark()
  const backup = await backUp()
  clockAheadMs += 10 * MINUTE_MS
  const sent = await sendForm()
  await waitForMark()
  const copies = await database.collection('events').find().toArray()
  await restore(backup)
  await database.collection('events').deleteMany({})
  await eventually(isCountedAsRestored, 'the database being recognised as restored')

  expect(await recover(true)).toEqual([{ uploadId: sent, outcome: 'event unknown' }])
  const [mark] = backup.get('highwatermarks') ?? []
  expect(await database.collection('highwatermarks').findOne()).toEqual(mark)
  await database.collection('events').insertMany(copies)
  expect((await recover(true)).map(({ outcome }) => outcome)).toEqual(['recovered'])
  await eventually(async () => !(await isCountedAsRestored()), 'the end of that')
})

test('When the event of a file is lost, then an operator can end the restore, and the file is kept', async () => {
  await waitForMark()
  const backup = await backUp()
  clockAheadMs += 10 * MINUTE_MS
  const sent = await sendForm()
  await waitForMark()
  await restore(backup)
  await database.collection('events').deleteMany({})
  await eventually(isCountedAsRestored, 'the database being recognised as restored')
  expect((await recover(true, true)).map(({ outcome }) => outcome)).toEqual(['event unknown'])
  await eventually(async () => !(await isCountedAsRestored()), 'the end of that')
  await passDays(60)
  await waitForSweeps()
  await expectOriginals([sent])
})

test('When uploads are looked for without writing, then nothing is written, neither indexes nor an id', async () => {
  const name = `${system.namespace}-looked`
  const other = BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(name)
  await other.create()
  const url = databaseUrl(system.backends.mongo, name, 'uploads')
  const config = readConfig(recoveryConfigSchema, {
    MONGO_URL: url,
    BLOB_CONNECTION_STRING: system.backends.blob,
    BLOB_CONTAINER: name,
  })
  await recoverUploads(config, { isWriting: false }, () => undefined)
  const connection = await mongoose.createConnection(url).asPromise()
  expect(await connection.listCollections()).toEqual([])
  expect((await other.getProperties()).metadata).toEqual({})
  await connection.close()
  await other.delete()
})
