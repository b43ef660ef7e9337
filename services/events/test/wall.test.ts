import { createHash, randomBytes } from 'node:crypto'
import {
  createWall,
  deleteEvent,
  deleteWall,
  getEvent,
  getEventCopy,
  updateEvent,
  type Event,
  type EventCopy,
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
    shellUrl: 'https://photos.confetti.test',
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

const create = ({ _id }: Event, token: string | undefined = organiser.token) =>
  call(url, createWall, { token, params: { eventId: _id } })
const end = ({ _id }: Event, token: string | undefined = organiser.token) =>
  call(url, deleteWall, { token, params: { eventId: _id } })
const summaryOf = async ({ _id }: Event): Promise<EventCopy> =>
  (await call(url, getEventCopy, { params: { eventId: _id } })).body as EventCopy
const hasWall = async ({ _id }: Event): Promise<boolean | undefined> => {
  const { body } = await call(url, getEvent, { token: organiser.token, params: { eventId: _id } })
  return (body.event as Event).hasWall
}
const hashOf = (key: string | undefined): string =>
  createHash('sha256')
    .update(key ?? '')
    .digest('hex')
const keyOf = (link: string): string => new URL(link).hash.slice(1)
/** The messages about an event's changes, in their order. */
const changesOf = ({ _id }: Event) =>
  messages
    .distinct('event.changed.v1')
    .map(({ data }) => data)
    .filter((data) => data._id === _id)
    .toSorted((a, b) => a.revision - b.revision)
const auditOf = ({ _id }: Event) => [
  ...new Map(
    messages
      .ofType('audit.recorded.v1')
      .filter(({ data }) => data.eventId === _id)
      .map(({ data }) => [data._id, data]),
  ).values(),
]
const stored = ({ _id }: Event) =>
  database.collection('events').findOne({ _id: new mongoose.Types.ObjectId(_id) })

test('When an organiser creates a link to the live wall, then it has a key of 256 bits, and only its hash is stored and published', async () => {
  const event = await newEvent(url, admin, organiser)
  expect(await hasWall(event)).toBe(false)
  const { status, body } = await create(event)
  expect(status).toBe(201)
  const link = new URL(body.url as string)
  expect(`${link.origin}${link.pathname}${link.search}`).toBe(
    `https://photos.confetti.test/wall/${event._id}`,
  )
  const key = keyOf(link.href)
  expect(Buffer.from(key, 'base64url')).toHaveLength(32)

  expect(await hasWall(event)).toBe(true)
  const asGuest = await call(url, getEvent, { params: { eventId: event._id } })
  expect(JSON.stringify(asGuest.body)).not.toMatch(/wall/i)
  const wallKeyHash = hashOf(key)
  expect(await summaryOf(event)).toMatchObject({ wallKeyHash })
  await eventually(() => changesOf(event)[0]?.wallKeyHash === wallKeyHash, 'the message')
  expect(JSON.stringify(await stored(event))).not.toContain(key)
  expect(JSON.stringify(messages.all)).not.toContain(key)
  expect(system.log.join('\n')).not.toContain(key)
})

test('When another link is created, then the earlier one ends, and admins can create one, too', async () => {
  const event = await newEvent(url, admin, organiser)
  const first = keyOf((await create(event)).body.url as string)
  const second = keyOf((await create(event, admin.token)).body.url as string)
  expect(second).not.toBe(first)
  expect(await summaryOf(event)).toMatchObject({ wallKeyHash: hashOf(second) })
})

test('When many links are created at once, then each request gets one, and the last link is the one that remains', async () => {
  const event = await newEvent(url, admin, organiser)
  const created = await Promise.all(Array.from({ length: 30 }, () => create(event)))
  expect(created.map(({ status }) => status)).toEqual(created.map(() => 201))
  const { wallKeyHash, revision } = await summaryOf(event)
  const changes = await eventually(() => changesOf(event).length === 30 && changesOf(event))
  expect(revision).toBe(changes.at(-1)?.revision)
  expect(created.map(({ body }) => hashOf(keyOf(body.url as string)))).toContain(wallKeyHash)
})

test('When the link is ended, then other services are notified, and ending it again changes nothing', async () => {
  const event = await newEvent(url, admin, organiser)
  await create(event)
  for (const round of [1, 2]) {
    expect([round, (await end(event)).status]).toEqual([round, 200])
    expect(await hasWall(event)).toBe(false)
    expect(await summaryOf(event)).not.toHaveProperty('wallKeyHash')
  }
  const ended = await eventually(() => changesOf(event)[1], 'the message')
  expect(ended).not.toHaveProperty('wallKeyHash')
})

test('When links are created and ended, then the audit log says so, without the key or its hash', async () => {
  const event = await newEvent(url, admin, organiser)
  const key = keyOf((await create(event)).body.url as string)
  await end(event)
  await end(event)
  const isAbout = (action: string) => auditOf(event).filter((entry) => entry.action === action)
  const entry = { actor: { _id: organiser.user._id }, subject: { type: 'event', id: event._id } }
  await eventually(
    () => isAbout('event.wall-created').length > 0 && isAbout('event.wall-ended').length > 0,
    'the entries',
  )
  expect(isAbout('event.wall-created')).toMatchObject([entry])
  expect(isAbout('event.wall-ended')).toMatchObject([entry])
  expect(isAbout('event.changed')).toEqual([])
  const text = JSON.stringify(auditOf(event))
  expect(text).not.toContain(key)
  expect(text).not.toContain(hashOf(key))
})

test('When the caller does not manage the event, then there is no link and none is ended', async () => {
  const event = await newEvent(url, admin, organiser)
  await create(event)
  const { wallKeyHash } = await summaryOf(event)
  const stranger = await newOrganiser(system.url('auth'))
  for (const request of [createWall, deleteWall]) {
    const statusOf = async (eventId: string, token?: string) =>
      (await call(url, request, { token, params: { eventId } })).status
    expect(await statusOf(event._id)).toBe(401)
    expect(await statusOf(event._id, stranger.token)).toBe(404)
    for (const eventId of [randomBytes(12).toString('hex'), 'nonsense'])
      expect(await statusOf(eventId, admin.token)).toBe(404)
  }
  expect((await summaryOf(event)).wallKeyHash).toBe(wallKeyHash)
})

test('When an event with a live wall is deleted, then nothing of its key is kept', async () => {
  const event = await newEvent(url, admin, organiser)
  const wallKeyHash = hashOf(keyOf((await create(event)).body.url as string))
  await call(url, deleteEvent, { token: admin.token, params: { eventId: event._id } })
  await eventually(async () => !JSON.stringify(await stored(event)).includes(wallKeyHash), 'the outbox')
})

test('When moderation and a gallery are set, then guests and other services get all of it', async () => {
  const event = await newEvent(url, admin, organiser)
  const settings = { moderation: 'approve', gallery: 'on', revealAt: '2032-01-01T10:00:00.000Z' } as const
  const params = { eventId: event._id }
  const change = (body: unknown) =>
    call(url, updateEvent, { token: organiser.token, params, body: { settings: body } })
  const lookAsGuest = async () => (await call(url, getEvent, { params })).body.event as Event

  expect(await lookAsGuest()).not.toHaveProperty('gallery')
  expect((await change(settings)).body.event).toMatchObject({ settings })
  expect(await lookAsGuest()).toMatchObject(settings)
  expect(await summaryOf(event)).toMatchObject(settings)
  const message = await eventually(() => changesOf(event)[0], 'the message')
  expect(message).toMatchObject(settings)
  for (const wrong of [{ moderation: 'on' }, { gallery: 'approve' }, { revealAt: 'tomorrow' }])
    expect([wrong, (await change(wrong)).status]).toEqual([wrong, 400])

  await change({ moderation: null, gallery: null, revealAt: null })
  for (const field of Object.keys(settings)) {
    expect(await lookAsGuest()).not.toHaveProperty(field)
    expect(await summaryOf(event)).not.toHaveProperty(field)
  }
})

test('When a language and translations are set, then guests see them, and what is not a language is refused', async () => {
  const event = await newEvent(url, admin, organiser)
  const params = { eventId: event._id }
  const change = (body: unknown) =>
    call(url, updateEvent, { token: organiser.token, params, body: { settings: body } })
  const lookAsGuest = async () => (await call(url, getEvent, { params })).body.event as Event

  const settings = {
    language: 'pt-BR',
    translations: {
      de: { name: 'Gartenhochzeit', welcome: 'Schön, dass ihr da seid!' },
      ar: { name: 'زفاف' },
    },
  }
  expect((await change(settings)).status).toBe(200)
  expect(await lookAsGuest()).toMatchObject(settings)

  const many = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`de-x-${index}a`, { name: 'x' }]))
  for (const wrong of [
    { language: 'klingon language' },
    { language: 'de'.repeat(20) },
    { translations: { 'de.name': { name: 'x' } } },
    { translations: { de: { name: ' ' } } },
    { translations: { de: { name: 'x'.repeat(201) } } },
    { translations: { de: { welcome: 'x'.repeat(501) } } },
    { translations: many },
  ])
    expect([wrong, (await change(wrong)).status]).toEqual([wrong, 400])

  const french = { name: 'Mariage au jardin' }
  await change({ translations: { fr: french, de: null } })
  expect((await lookAsGuest()).translations).toEqual({ fr: french, ar: settings.translations.ar })

  await change({ language: null, translations: null })
  expect(await lookAsGuest()).not.toHaveProperty('language')
  expect(await lookAsGuest()).not.toHaveProperty('translations')
})
