import {
  createQrCode,
  deleteEvent,
  getEvent,
  getEventCopy,
  getEventPin,
  updateEvent,
  type Event,
  type EventCopy,
  type EventSettings,
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

let system: TestSystem
let messages: RecordedMessages
let database: Connection
let url: string
let admin: Account
let organiser: Account

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events'],
    environment: { auth: { ACCESS_TOKEN_SECONDS: '3600' } },
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

const change = async (
  { _id }: Event,
  settings: { [Name in keyof EventSettings]: EventSettings[Name] | null },
) => {
  const { status, body } = await call(url, updateEvent, {
    token: organiser.token,
    params: { eventId: _id },
    body: { settings },
  })
  expect(status).toBe(200)
  return body.event as Event
}
const look = ({ _id }: Event, token?: string) => call(url, getEvent, { token, params: { eventId: _id } })
const copyOf = async ({ _id }: Event): Promise<EventCopy> =>
  (await call(url, getEventCopy, { params: { eventId: _id } })).body as EventCopy
const stored = ({ _id }: Event) =>
  database.collection('events').findOne({ _id: new mongoose.Types.ObjectId(_id) })
const keyOf = (link: string | undefined): string | null =>
  new URLSearchParams(new URL(link ?? '').hash.slice(1)).get('key')

test('When an event has a PIN, then guests see its name and language only, and managers everything with the PIN', async () => {
  const event = await newEvent(url, admin, organiser)
  expect((await look(event)).status).toBe(200)
  const changed = await change(event, { pin: 'Tulip42', language: 'fr' })
  expect(changed.settings.pin).toBe('Tulip42')
  const stranger = await newOrganiser(system.url('auth'))
  for (const token of [undefined, stranger.token, 'nonsense']) {
    const { status, body } = await look(event, token)
    expect([status, body.code]).toEqual([404, 'pin_required'])
    expect(body.details).toEqual({ name: event.name, language: 'fr' })
    expect(Object.keys(body).sort()).toEqual(['code', 'details', 'message', 'requestId'])
  }
  for (const { token } of [admin, organiser])
    expect((await look(event, token)).body.event).toMatchObject({ settings: { pin: 'Tulip42' } })

  await change(event, { pin: null })
  expect((await look(event)).status).toBe(200)
  expect(await copyOf(event)).not.toHaveProperty('pinHash')
  expect((await call(url, getEventPin, { params: { eventId: event._id } })).status).toBe(404)
})

test('When the same PIN is set again, then printed codes work again; another one has other links, and none without pinInLinks', async () => {
  const event = await newEvent(url, admin, organiser)
  expect(new URL(event.uploadUrl).hash).toBe('')
  const first = await change(event, { pin: 'Tulip42' })
  const key = keyOf(first.uploadUrl)
  expect(Buffer.from(key ?? '', 'base64url')).toHaveLength(12)
  expect(keyOf(first.shortUrl)).toBe(key)
  const qrCode = await call(url, createQrCode, { token: organiser.token, params: { eventId: event._id } })
  expect(qrCode.body.uploadUrl).toBe(first.uploadUrl)
  const salt = (await stored(event))?.pinSalt as string
  expect(Buffer.from(salt, 'base64url')).toHaveLength(16)

  expect(keyOf((await change(event, { pin: 'Rose1234' })).uploadUrl)).not.toBe(key)
  await change(event, { pin: null })
  expect((await change(event, { pin: 'tulip42' })).uploadUrl).toBe(first.uploadUrl)
  expect((await stored(event))?.pinSalt).toBe(salt)

  const without = await change(event, { pinInLinks: 'off' })
  expect([new URL(without.uploadUrl).hash, new URL(without.shortUrl ?? '').hash]).toEqual(['', ''])
  const { body } = await call(url, getEventPin, { params: { eventId: event._id } })
  expect(body).toEqual({ pin: 'tulip42', pinHash: (await copyOf(event)).pinHash })
  await change(event, { pinInLinks: 'on' })
  expect(keyOf(((await look(event, organiser.token)).body.event as Event).uploadUrl)).toBe(key)
})

test('When an event has a PIN, then messages and audit log have neither the PIN, nor its salt, nor the key of links', async () => {
  const event = await newEvent(url, admin, organiser)
  const { uploadUrl } = await change(event, { pin: 'Tulip42' })
  const { pinHash } = await copyOf(event)
  await eventually(
    () =>
      messages
        .ofType('event.changed.v1')
        .some(({ data }) => data._id === event._id && data.pinHash === pinHash),
    'the message',
  )
  const audited = await eventually(() => {
    const [entry] = messages
      .ofType('audit.recorded.v1')
      .filter(({ data }) => data.eventId === event._id && data.action === 'event.changed')
    return entry
  }, 'the entry of the audit log')
  expect(JSON.stringify(audited)).toContain('"pin"')
  const published = JSON.stringify(messages.all)
  const salt = (await stored(event))?.pinSalt as string
  for (const secret of ['Tulip42', salt, keyOf(uploadUrl) ?? '']) {
    expect(secret).not.toBe('')
    expect(published).not.toContain(secret)
  }

  await call(url, deleteEvent, { token: admin.token, params: { eventId: event._id } })
  expect(JSON.stringify(await stored(event))).not.toMatch(/pinSalt|Tulip42/)
})

test.each(['123', '1234567890123', '12 34', 'tulip-42', '', 1234])(
  'When a PIN is %j, then it is refused',
  async (pin) => {
    const event = await newEvent(url, admin, organiser)
    const { status, body } = await call(url, updateEvent, {
      token: organiser.token,
      params: { eventId: event._id },
      body: { settings: { pin } },
    })
    expect([status, body.details[0].field]).toEqual([400, 'settings.pin'])
  },
)
