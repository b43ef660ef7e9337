import {
  deleteEvent,
  getEvent,
  getEventCopy,
  getEventIdByCode,
  parseShortCode,
  updateEvent,
  type Event,
} from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  recordMessages,
  startTestSystem,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'

let now = Date.now()
let system: TestSystem
let messages: RecordedMessages
let database: Connection
let url: string
let admin: Account
let organiser: Account

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events'],
    replicas: { events: 2 },
    shellUrl: 'https://photos.confetti.test',
    environment: { auth: { ACCESS_TOKEN_SECONDS: '3600' }, events: { SWEEP_INTERVAL_MS: '50' } },
    clock: () => new Date(now),
  })
  messages = await recordMessages(system)
  database = await mongoose
    .createConnection(databaseUrl(system.backends.mongo, system.namespace, 'events'))
    .asPromise()
  url = system.url('events')
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
})
afterAll(async () => {
  await database.close()
  await messages.close()
  await system.stop()
})

const find = async (code: string) => {
  const { status, body } = await call(url, getEventIdByCode, { params: { code } })
  return [status, body.eventId ?? body.code]
}
const get = async (eventId: string): Promise<Event> =>
  (await call(url, getEvent, { token: admin.token, params: { eventId } })).body as Event

/** An event as version 0.2 has stored it: with neither a code nor a field for one. */
const storeFormerEvent = async ({ _id }: Event): Promise<string> => {
  const events = database.collection('events')
  const { shortCode: _, ...document } = (await events.findOne({
    _id: new mongoose.Types.ObjectId(_id),
  })) as unknown as Event & { _id: object }
  const { insertedId } = await events.insertOne({
    ...document,
    _id: new mongoose.Types.ObjectId(),
    changedAt: new Date(now),
  })
  return insertedId.toHexString()
}

test('When an event is created, then it has a code of its own, which members see with its link, and guests do not', async () => {
  const [first, second] = [await newEvent(url, admin, organiser), await newEvent(url, admin, organiser)]
  const code = String(first.shortCode)
  expect(parseShortCode(code)).toBe(code)
  expect(first.shortUrl).toBe(`https://photos.confetti.test/e/${code.slice(0, 4)}-${code.slice(4)}`)
  expect(second.shortCode).not.toBe(code)
  const params = { eventId: first._id }
  expect((await call(url, getEvent, { token: organiser.token, params })).body.shortCode).toBe(code)
  expect((await call(url, getEvent, { params })).body).not.toHaveProperty('shortCode')
  expect((await call(url, getEventCopy, { params })).body.shortCode).toBe(code)
  expect(await find(code)).toEqual([200, first._id])
  const created = await eventually(() =>
    messages.ofType('event.created.v1').find(({ data }) => data._id === first._id),
  )
  expect(created.data.shortCode).toBe(code)
})

test('When an event changes or is closed, then its code stays; when it is deleted, then the code leads nowhere', async () => {
  const { _id, shortCode = '' } = await newEvent(url, admin, organiser)
  const params = { eventId: _id }
  await call(url, updateEvent, {
    token: admin.token,
    params,
    body: { name: 'Changed', settings: { uploads: 'closed' } },
  })
  expect((await get(_id)).shortCode).toBe(shortCode)
  expect(await find(shortCode)).toEqual([200, _id])
  await call(url, deleteEvent, { token: admin.token, params })
  expect(await find(shortCode)).toEqual([404, 'code_not_found'])
  const stored = await database.collection('events').findOne({ _id: new mongoose.Types.ObjectId(_id) })
  expect(stored ?? {}).not.toHaveProperty('shortCode')
})

test('When no event has a code, or it can be none, then nothing is found', async () => {
  expect(await find('22222222')).toEqual([404, 'code_not_found'])
  expect((await find('7f3k-9qxm'))[0]).toBe(404)
})

test('When an earlier version has stored events, also beside this one, then each gets one code, and the others are told', async () => {
  const model = await newEvent(url, admin, organiser)
  const former = await Promise.all(Array.from({ length: 12 }, () => storeFormerEvent(model)))
  expect((await get(former[0] ?? '')).shortCode).toBeUndefined()
  now += 61_000
  const codes = await eventually(async () => {
    const found = await Promise.all(former.map(async (id) => (await get(id)).shortCode))
    return found.every((code) => code !== undefined) && found
  }, 'all events to have a code')
  expect(new Set(codes).size).toBe(former.length)
  for (const [index, code] of codes.entries()) expect(await find(code)).toEqual([200, former[index]])
  await eventually(
    () =>
      former.every(
        (id, index) =>
          messages
            .ofType('event.changed.v1')
            .filter(({ data }) => data._id === id)
            .map(({ data }) => data.shortCode)
            .join() === codes[index],
      ),
    'one message about each code',
  )

  // A replica of the earlier version creates one more.
  const late = await storeFormerEvent(model)
  now += 61_000
  const lateCode = await eventually(async () => (await get(late)).shortCode)
  expect(await find(lateCode)).toEqual([200, late])
})

test('When the database already has a code, then no second event can have it', async () => {
  const { shortCode } = await newEvent(url, admin, organiser)
  const insertion = database.collection('events').insertOne({ shortCode })
  await expect(insertion).rejects.toThrow()
})
