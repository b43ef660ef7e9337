import { eventCopy, type EventCopy } from '@confetti/contracts'
import {
  connectMongo,
  createErasedIds,
  createEventCopies,
  createEventCopyModel,
  createLogger,
  readEventCopy,
  type EventDocument,
} from '@confetti/service-kit'
import { testBackends } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection, type Model } from 'mongoose'

const newId = (): string => new mongoose.Types.ObjectId().toString()

let connection: Connection
let model: Model<EventDocument>
let copies: ReturnType<typeof createEventCopies>
beforeAll(async () => {
  connection = await connectMongo(`${testBackends().mongo}/${newId()}`, createLogger('test', 'fatal'))
  model = createEventCopyModel(connection, { noticeDueAt: Date })
  copies = createEventCopies(model, await createErasedIds(connection, () => new Date()))
})
afterAll(async () => {
  await connection.dropDatabase()
  await connection.close()
})

const find = async (_id: string): Promise<EventCopy | undefined> => {
  const document = await model.findById(_id).lean<EventDocument>()
  return document ? readEventCopy(document) : undefined
}

/** An event with all fields that an event can have. */
const newCopy = (changes: Partial<EventCopy> = {}): EventCopy => ({
  _id: newId(),
  eventFor: 'a'.repeat(24),
  organisers: ['a'.repeat(24), 'b'.repeat(24)],
  uploadsCloseAt: '2026-06-20T18:00:00.000Z',
  name: 'Anna & Ben',
  startDate: '2026-06-20',
  timeZone: 'Europe/Berlin',
  uploads: 'open',
  cover: 'c'.repeat(24),
  maxFiles: 100,
  maxBytes: 1_000,
  deleteAt: '2026-12-20T18:00:00.000Z',
  moderation: 'approve',
  gallery: 'on',
  revealAt: '2026-06-21T08:00:00.000Z',
  save: 'copy',
  language: 'de',
  pinHash: 'f'.repeat(64),
  wallKeyHash: 'd'.repeat(64),
  shortCode: '7F3K9QXM',
  consentVersion: 'e'.repeat(16),
  revision: 3,
  ...changes,
})

test('When an event is saved, then its copy has all of its fields, and points in time are stored as dates', async () => {
  const event = newCopy()
  expect(Object.keys(event).toSorted()).toEqual(eventCopy.keyof().options.toSorted())
  await copies.save(event)
  expect(await find(event._id)).toEqual(event)
  expect(await model.findById(event._id).lean()).toMatchObject({
    uploadsCloseAt: new Date(event.uploadsCloseAt),
    deleteAt: new Date('2026-12-20T18:00:00.000Z'),
  })
})

test('When a newer version of an event has less fields, then its copy has less, and an older version changes nothing', async () => {
  const event = newCopy()
  await copies.save(event, { noticeDueAt: new Date() })
  const { _id, eventFor, organisers, uploadsCloseAt } = event
  const changed = { _id, eventFor, organisers, uploadsCloseAt, revision: 4 }
  await copies.save(changed, { noticeDueAt: undefined })
  await copies.save(event)
  expect(await find(_id)).toEqual(changed)
  expect(await model.findById(_id).lean()).not.toHaveProperty('noticeDueAt')
})

test('When an event has been erased, then a late message does not bring its copy back', async () => {
  const event = newCopy()
  await copies.save(event)
  await copies.erase(event._id)
  await copies.save({ ...event, revision: 9 })
  expect(await find(event._id)).toBeUndefined()
})

test('When a version that kept some fields only has written a copy, then it is read, and replaced by a newer one', async () => {
  const { _id, organisers, uploadsCloseAt } = newCopy()
  await model.collection.insertOne({
    _id,
    organiserId: organisers[0],
    organisers,
    uploadsCloseAt: new Date(uploadsCloseAt),
    uploads: 'closed',
    maxFiles: null,
    revealAt: null,
    revision: 2,
  } as never)
  const read = { _id, eventFor: organisers[0], organisers, uploadsCloseAt, uploads: 'closed', revision: 2 }
  expect(await find(_id)).toEqual(read)
  await copies.save(newCopy({ _id, uploads: 'open' }))
  expect(await find(_id)).toMatchObject({ uploads: 'open', revision: 3 })
})
