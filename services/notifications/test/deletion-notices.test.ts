import { eventually } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId, newUploadId, startHarness, type Harness } from './harness.ts'

const DAY_MS = 24 * 3_600_000
const MINUTE_MS = 60_000

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ replicas: 2 })
})
afterAll(() => harness.stop())

/** The time at the beginning of a day that is `days` away, less a minute, so that a notice for it is due. */
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS - MINUTE_MS).toISOString()

test('When 14 and 3 days are left, then each organiser is notified once each time', async () => {
  const organisers = [await harness.newUser(), await harness.newUser()]
  const event = await harness.newEvent(organisers, { deleteAt: inDays(14) })
  for (const { email } of organisers)
    expect((await harness.waitForMail(email)).subject).toBe(
      'Save your photos: “Anna & Ben” will be deleted in 14 days',
    )
  const stored = await eventually(async () => {
    const copy = await harness.collection('events').findOne({ _id: event._id })
    return copy && (copy.noticeDueAt as Date) > new Date() ? copy : undefined
  }, 'the next notice being planned')
  expect(stored.noticeDueAt).toEqual(new Date(Date.parse(event.deleteAt ?? '') - 3 * DAY_MS))

  // Something else of the event changes: no further notice.
  await harness.publish('event.changed.v1', { ...event, name: 'Anna & Ben!', revision: 1 })
  await eventually(() => harness.collection('events').findOne({ _id: event._id, revision: 1 }))
  // The other notice, of a date that is 3 days away.
  const deleteAt = inDays(3)
  await harness.publish('event.changed.v1', { ...event, deleteAt, revision: 2 })
  for (const { email } of organisers) {
    expect((await harness.waitForMail(email, 2)).subject).toContain('will be deleted in 3 days')
  }
  await eventually(async () => {
    const copy = await harness.collection('events').findOne({ _id: event._id })
    return copy?.noticeDueAt === undefined
  }, 'no notice being left')
  for (const { email } of organisers) expect(harness.mailServer.mailsTo(email)).toHaveLength(2)
})

test('When the event is kept after all, or deleted later, then the planned notices do not apply', async () => {
  const organiser = await harness.newUser()
  const kept = await harness.newEvent([organiser], { deleteAt: inDays(20) })
  const { deleteAt: _, ...withoutDate } = kept
  await harness.publish('event.changed.v1', { ...withoutDate, revision: 1 })
  await eventually(async () => {
    const copy = await harness.collection('events').findOne({ _id: kept._id, revision: 1 })
    return copy && copy.noticeDueAt === undefined && copy.deleteAt === undefined
  }, 'the copy without a date')

  const postponed = await harness.newEvent([organiser], { deleteAt: inDays(20) })
  const deleteAt = inDays(40)
  await harness.publish('event.changed.v1', { ...postponed, deleteAt, revision: 1 })
  await eventually(async () => {
    const copy = await harness.collection('events').findOne({ _id: postponed._id })
    return Number(copy?.noticeDueAt) === Date.parse(deleteAt) - 14 * DAY_MS
  }, 'the notice being postponed')
})

test('When an event is deleted, then its copy, uploads, digests, mails and unsubscriptions are removed, and stay so', async () => {
  const organiser = await harness.newUser()
  const event = await harness.newEvent([organiser], { deleteAt: inDays(14) })
  await harness.waitForMail(organiser.email)
  const upload = { uploadId: newUploadId(), eventId: event._id, contentType: 'image/jpeg', size: 1 } as const
  await harness.publish('upload.completed.v1', upload)
  await eventually(() => harness.collection('digests').findOne({ _id: event._id }))
  await harness
    .collection('unsubscriptions')
    .insertOne({ _id: `${event._id}/${organiser._id}`, eventId: event._id, userId: organiser._id })

  await harness.publish('event.deleted.v1', { _id: event._id })
  const countTraces = async (): Promise<number> => {
    const counts = await Promise.all([
      harness.collection('events').countDocuments({ _id: event._id }),
      harness.collection('digests').countDocuments({ _id: event._id }),
      ...['newuploads', 'mails', 'unsubscriptions'].map((name) =>
        harness.collection(name).countDocuments({ eventId: event._id }),
      ),
    ])
    return counts.reduce((sum, count) => sum + count, 0)
  }
  await eventually(async () => (await countTraces()) === 0, 'nothing of the event being left')

  // What arrives late.
  await harness.publish('event.changed.v1', { ...event, revision: 7 })
  await harness.publish('upload.completed.v1', { ...upload, uploadId: newUploadId() })
  await harness.publish('event.created.v1', event)
  for (const type of ['event.changed.v1', 'upload.completed.v1', 'event.created.v1'] as const)
    await harness.waitUntilHandled(type)
  expect(await countTraces()).toBe(0)
  // And again.
  await harness.publish('event.deleted.v1', { _id: event._id })
  await harness.waitUntilHandled('event.deleted.v1')
  expect(await countTraces()).toBe(0)
  expect(harness.mailServer.mailsTo(organiser.email)).toHaveLength(1)
})

test('When an account is deleted, then its copy and all mails to it or about it are removed, and stay so', async () => {
  const user = await harness.newUser()
  const admin = await harness.newUser('admin')
  await harness.publish('contact.received.v1', {
    _id: newId(),
    subject: 'A question',
    message: 'How?',
    createdAt: new Date().toISOString(),
    userId: user._id,
    userEmail: user.email,
  })
  await harness.waitForMail(admin.email)
  await harness.requestReset(user.email, user._id)
  await harness.waitForMail(user.email)
  await harness.publish('user.deleted.v1', user)
  const traces = async () => [
    ...(await harness.collection('users').find({ _id: user._id }).toArray()),
    ...(await harness.mailDocuments({
      $or: [{ userId: user._id }, { to: user.email }, { about: user.email }],
    })),
  ]
  await eventually(async () => (await traces()).length === 0, 'nothing of the account being left')
  await harness.publish('user.changed.v1', { ...user, active: true, revision: 3 })
  await harness.requestReset(user.email, user._id)
  await harness.waitUntilHandled('user.changed.v1')
  await harness.waitUntilHandled('user.mail-requested.v1')
  await eventually(async () => (await traces()).length === 0, 'nothing of the account being left')
  expect(harness.mailServer.mailsTo(user.email)).toHaveLength(1)
})
