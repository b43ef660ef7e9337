import {
  listAccounts,
  listContacts,
  listEventUploads,
  listMyEvents,
  refresh,
  type AccountList,
  type Contact,
  type Event,
  type Upload,
} from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import {
  call,
  eventually,
  newAdmin,
  newOrganiser,
  recordMessages,
  startTestSystem,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose from 'mongoose'
import { migrate, type MigratedService } from '../scripts/migration.ts'

const services = ['auth', 'events', 'uploads', 'media', 'contact'] as const
const outboxFields = { outbox: [], outboxPending: false, outboxVersion: 1, outboxLeaseUntil: new Date(0) }
const CREATED_AT = new Date('2026-05-01T10:00:00Z')
/** Just now: the sweep of uploads has media asked again for whatever is overdue. */
const UPLOADED_AT = new Date()
// After the services have started and told of missing queues, whose messages uploads replaces.
const ASKED_AT = new Date(UPLOADED_AT.getTime() + 600_000)

let system: TestSystem
let recorded: RecordedMessages
let urls: Record<MigratedService, string>
let databases: Record<MigratedService, mongoose.Connection>
let admin: Account
let organiser: Account
beforeAll(async () => {
  // media does not run: its sweep would remove the job, which is old.
  system = await startTestSystem({ services: ['auth', 'events', 'uploads', 'contact'] })
  recorded = await recordMessages(system)
  const urlOf = (name: MigratedService) => databaseUrl(system.backends.mongo, system.namespace, name)
  urls = Object.fromEntries(services.map((name) => [name, urlOf(name)])) as typeof urls
  const connections = services.map(async (name) => [
    name,
    await mongoose.createConnection(urls[name]).asPromise(),
  ])
  databases = Object.fromEntries(await Promise.all(connections)) as typeof databases
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
})
afterAll(async () => {
  for (const database of Object.values(databases)) await database.close()
  await recorded.close()
  await system.stop()
})

const eventId = new mongoose.Types.ObjectId()
const uploadId = mongoose.Types.ObjectId.createFromTime(CREATED_AT.getTime() / 1_000)

/** Writes documents as version 0.1 wrote them. */
const writeOldData = async () => {
  const { _id: userId, email } = organiser.user
  // First: the account's message is in the document that is replaced.
  const copies = databases.events.collection<{ _id: string }>('users')
  await eventually(() => copies.findOne({ _id: userId }), 'the copy of the account')
  const users = databases.auth.collection('users')
  const account = await users.findOne({ _id: new mongoose.Types.ObjectId(userId) })
  await users.replaceOne(
    { _id: new mongoose.Types.ObjectId(userId) },
    {
      email,
      role: 'user',
      passwordHash: account?.passwordHash as string,
      createdAt: CREATED_AT,
      ...outboxFields,
    },
  )
  await databases.auth.collection('sessions').updateOne({ userId }, { $unset: { accountRevision: 1 } })
  await databases.events.collection('events').insertOne({
    _id: eventId,
    name: 'Summer party',
    description: '',
    startDate: '2030-06-12',
    endDate: '2030-06-14',
    organiserId: userId,
    organiserEmail: email,
    uploadsCloseAt: new Date('2030-07-15T00:00:00Z'),
    createdAt: CREATED_AT,
    ...outboxFields,
  })
  await copies.replaceOne({ _id: userId }, { email, role: 'user' })
  await databases.uploads.collection<{ _id: string }>('events').insertOne({
    _id: String(eventId),
    organiserId: userId,
    uploadsCloseAt: new Date('2030-07-15T00:00:00Z'),
  } as never)
  await databases.uploads.collection('uploads').insertOne({
    _id: uploadId,
    eventId: String(eventId),
    photoCredit: 'Table 4',
    originalName: 'camera-gps.jpg',
    contentType: 'image/jpeg',
    size: 1_000,
    sha256: 'a'.repeat(64),
    uploadedAt: UPLOADED_AT,
    filename: `${String(eventId)}/camera-gps.jpg`,
    filenameKey: `${String(eventId)}/camera-gps.jpg`,
    contentKey: `${String(eventId)}/${'a'.repeat(64)}/Table 4`,
    status: 'processing',
    askedAt: ASKED_AT,
    deleted: false,
    ...outboxFields,
  })
  await databases.media.collection<{ _id: string }>('jobs').insertOne({
    _id: String(uploadId),
    state: 'done',
    attempts: 1,
    measures: { width: 400, height: 300 },
    ...outboxFields,
  } as never)
  const contact = { subject: 'A question', message: 'May I?', createdAt: new Date(), ...outboxFields }
  await databases.contact.collection('contacts').insertMany([
    { ...contact, userEmail: email },
    { ...contact, userEmail: 'nobody@confetti.test', createdAt: CREATED_AT },
  ])
}

test('When data was written by version 0.1 and has been migrated, then services read it, and a second run finds nothing', async () => {
  await writeOldData()
  const runMigration = async () => {
    const lines: string[] = []
    await migrate(urls, (line) => lines.push(line))
    return lines.map((line) => line.replaceAll(/ +/g, ' '))
  }
  // The admin and the organiser of this test have been registered since, and are published once more, too.
  const report = await runMigration()
  expect(report).toEqual([
    expect.stringMatching(/^auth \d+ accounts published/),
    'auth 1 sessions',
    'events 1 events',
    'events 1 copies of accounts',
    'uploads 1 copies of events',
    'uploads 1 uploads',
    'media 1 jobs',
    'contact 2 messages to the admins',
  ])
  expect((await runMigration()).every((line) => line.includes(' 0 '))).toBe(true)

  const { _id: userId, email } = organiser.user
  await eventually(
    () => recorded.distinct('user.registered.v1').filter(({ data }) => data._id === userId).length === 2,
    'the account being published again',
  )
  const { body: accounts } = await call(system.url('auth'), listAccounts, {
    token: admin.token,
    query: { search: email },
  })
  expect((accounts as AccountList).users).toMatchObject([{ _id: userId, active: true }])
  const refreshed = await call(system.url('auth'), refresh, {
    body: { refreshToken: organiser.refreshToken },
  })
  expect(refreshed.status).toBe(200)

  const { body: mine } = await call(system.url('events'), listMyEvents, { token: organiser.token })
  expect(mine.events as Event[]).toMatchObject([
    { _id: String(eventId), organisers: [{ _id: userId, email }], settings: {} },
  ])

  const { body: uploads } = await call(system.url('uploads'), listEventUploads, {
    token: admin.token,
    params: { eventId: String(eventId) },
  })
  expect(uploads.uploads as Upload[]).toMatchObject([
    { _id: String(uploadId), photoCredit: 'Table 4', status: 'processing', visibility: 'visible' },
  ])
  expect(await databases.uploads.collection('uploads').findOne({ _id: uploadId })).toMatchObject({
    processingRequestedAt: ASKED_AT,
    processingDueAt: new Date(UPLOADED_AT.getTime() + 900_000),
  })
  const job = await databases.media.collection<{ _id: string }>('jobs').findOne({ _id: String(uploadId) })
  expect(job).toMatchObject({ metadata: { width: 400, height: 300 }, changedAt: CREATED_AT })
  expect(job).not.toHaveProperty('measures')

  const { body: contacts } = await call(system.url('contact'), listContacts, {
    token: admin.token,
    query: { limit: '100' },
  })
  expect((contacts.messages as Contact[]).map(({ userEmail }) => userEmail)).toEqual([
    email,
    'nobody@confetti.test',
  ])
  const stored = await databases.contact.collection('contacts').find().sort({ createdAt: 1 }).toArray()
  expect(stored.map((document) => document.userId as string)).toEqual(['0'.repeat(24), userId])
})
