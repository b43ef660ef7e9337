import { randomBytes } from 'node:crypto'
import {
  createEvent,
  deleteEvent,
  getEvent,
  getEventCopy,
  inviteOrganiser,
  listActiveEvents,
  listMyEvents,
  listUpcomingEvents,
  removeOrganiser,
  updateEvent,
  updateUser,
  type Event,
} from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import { newMessage, toEnvelope } from '@confetti/messaging'
import {
  call,
  eventually,
  mongoOperators,
  newAdmin,
  newEvent,
  newOrganiser,
  readCounter,
  recordMessages,
  startTestSystem,
  type Account,
  type ApiResponse,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'

const MB = 1_048_576

let system: TestSystem
let messages: RecordedMessages
let database: Connection
let url: string
let admin: Account
let organiser: Account

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events'],
    environment: {
      auth: { ACCESS_TOKEN_SECONDS: '3600' },
      events: {
        NEW_EVENT_MAX_FILES: '100',
        NEW_EVENT_MAX_BYTES: String(500 * MB),
        SWEEP_INTERVAL_MS: '500',
      },
    },
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

const change = (event: Pick<Event, '_id'>, body: unknown, token = admin.token): Promise<ApiResponse> =>
  call(url, updateEvent, { token, params: { eventId: event._id }, body: body as never })
const look = async (event: Pick<Event, '_id'>, token = admin.token) =>
  (await call(url, getEvent, { token, params: { eventId: event._id } })).body.event as Event
const lookAsGuest = async (event: Pick<Event, '_id'>) =>
  (await call(url, getEvent, { params: { eventId: event._id } })).body.event as Event
/** Publishes a message, and waits until it was delivered from this queue. */
const deliver = async (
  queue: string,
  publish: () => Promise<unknown>,
  outcome: 'handled' | 'retried' = 'handled',
): Promise<void> => {
  const count = () =>
    readCounter(system, 'events', 'messaging_handled_total', { queue: `events.${queue}`, outcome })
  const before = await count()
  await publish()
  await eventually(async () => (await count()) > before, `the message in ${queue}`)
}
const erasedBy = (service: string, { _id: eventId }: Pick<Event, '_id'>) =>
  toEnvelope(newMessage('event.erased.v1', { eventId, service }), `/services/${service}`)
/** The messages about changes of an event. */
const changesOf = (event: Pick<Event, '_id'>) =>
  messages.distinct('event.changed.v1').filter(({ data }) => data._id === event._id)

test('When an admin changes all details, then everybody sees them, and event.changed is published', async () => {
  const event = await newEvent(url, admin, organiser)
  const details = {
    name: 'Anna & Ben',
    description: 'In the garden',
    startDate: '2031-05-01',
    endDate: '2031-05-02',
  }
  const { status, body } = await change(event, details)
  expect([status, body.message]).toEqual([200, 'Event changed successfully'])
  const expected = { ...details, uploadsCloseAt: '2031-06-02T00:00:00.000Z', uploadsOpen: true }
  expect(body.event).toMatchObject({ ...expected, eventFor: event.eventFor, createdAt: event.createdAt })
  expect(await look(event, organiser.token)).toEqual(body.event)
  expect(await lookAsGuest(event)).toMatchObject(expected)
  const [message] = await eventually(() => changesOf(event).length > 0 && changesOf(event))
  expect(message?.data).toMatchObject({
    name: details.name,
    organisers: [organiser.user._id],
    uploadsCloseAt: expected.uploadsCloseAt,
  })
})

test('When a change has fields that do not exist, then it is refused by their names, and nothing is changed', async () => {
  const event = await newEvent(url, admin, organiser)
  const wrong = {
    name: 'New name',
    colour: 'red',
    settings: {
      welcome: 'Welcome!',
      keepdays: 3,
      translations: { de: { name: 'Hochzeit', wellcome: 'Hallo' } },
    },
  }
  const { status, body } = await change(event, wrong)
  expect([status, body.code]).toEqual([400, 'unknown_field'])
  expect(body.details).toEqual(
    ['colour', 'settings.keepdays', 'settings.translations.de.wellcome'].map((field) => ({
      field,
      message: 'This field does not exist.',
      code: 'unknown_field',
    })),
  )
  for (const inherited of ['{"__proto__": 1}', '{"settings": {"constructor": 1}}'])
    expect((await change(event, JSON.parse(inherited))).body.code).toBe('unknown_field')
  expect(await look(event)).toEqual(event)

  const stranger = await newOrganiser(system.url('auth'))
  expect((await change(event, wrong, stranger.token)).status).toBe(404)
})

test('When one field is changed, then the others stay', async () => {
  const event = await newEvent(url, admin, organiser)
  expect((await change(event, { name: 'New name' })).body.event).toEqual({ ...event, name: 'New name' })
  expect((await change(event, {})).body.event).toEqual({ ...event, name: 'New name' })
})

test('When a change changes nothing, then it is neither stored nor published', async () => {
  const event = await newEvent(url, admin, organiser)
  for (const same of [{}, { name: event.name }, { settings: {} }, { organisers: [organiser.user._id] }])
    expect((await change(event, same)).body.event).toEqual(event)
  await change(event, { name: 'New name' })
  const sent = await eventually(() => changesOf(event).length > 0 && changesOf(event))
  expect(sent.map(({ data }) => data.name)).toEqual(['New name'])
})

test('When the organiser closes and reopens an event, then guests see it each time', async () => {
  const event = await newEvent(url, admin, organiser)
  await change(event, { settings: { uploads: 'closed' } }, organiser.token)
  expect((await lookAsGuest(event)).uploadsOpen).toBe(false)
  await change(event, { settings: { uploads: 'open' } }, organiser.token)
  expect((await lookAsGuest(event)).uploadsOpen).toBe(true)
  const sent = await eventually(() => changesOf(event).length === 2 && changesOf(event))
  const inOrder = sent.map(({ data }) => data).toSorted((a, b) => a.revision - b.revision)
  expect(inOrder.map(({ uploads }) => uploads)).toEqual(['closed', 'open'])
})

test('When the organiser changes settings, then they apply, and null restores the default', async () => {
  const event = await newEvent(url, admin, organiser)
  const settings = {
    welcome: 'Show us your evening!',
    timeZone: 'Pacific/Auckland',
    uploadsCloseAt: '2032-01-01T10:00:00.000Z',
    cover: 'c'.repeat(24),
    keepDays: 60,
    maxFiles: 50,
    consent: { text: 'You may show my photos.', url: 'https://example.org/terms' },
    responsible: 'Ann, +43 1 234',
  }
  const { status, body } = await change(event, { settings }, organiser.token)
  expect(status).toBe(200)
  expect(body.event).toMatchObject({ settings, timeZone: 'Pacific/Auckland', deleteAt: expect.any(String) })
  expect(await lookAsGuest(event)).toMatchObject({
    welcome: settings.welcome,
    cover: settings.cover,
    uploadsCloseAt: settings.uploadsCloseAt,
    consent: { ...settings.consent, version: expect.stringMatching(/^[0-9a-f]{16}$/) },
    responsible: settings.responsible,
  })
  expect(await lookAsGuest(event)).not.toHaveProperty('settings')

  const reset = Object.fromEntries(Object.keys(settings).map((name) => [name, null]))
  const { body: after } = await change(event, { settings: reset })
  expect(after.event).toEqual({ ...event, settings: { maxBytes: 500 * MB } })
})

test('When an organiser wants a higher quota than new events have, then only an admin can set it', async () => {
  const event = await newEvent(url, admin, organiser)
  expect(event.settings).toEqual({ maxFiles: 100, maxBytes: 500 * MB })
  for (const settings of [{ maxFiles: 101 }, { maxBytes: null }, { maxBytes: 500 * MB + 1 }]) {
    const { status, body } = await change(event, { settings }, organiser.token)
    expect([status, body.code]).toEqual([403, 'limit_too_high'])
  }
  expect((await change(event, { settings: { maxFiles: 10 } }, organiser.token)).status).toBe(200)
  expect((await change(event, { settings: { maxFiles: 100 } }, organiser.token)).status).toBe(200)
  expect((await change(event, { settings: { maxFiles: 1_000 } })).status).toBe(200)
  expect((await change(event, { settings: { maxFiles: 900 } }, organiser.token)).status).toBe(200)
})

test.each<[string, object, string]>([
  ['a blank name', { name: ' ' }, 'Please fill in all required fields including user.'],
  ['a day that does not exist', { endDate: '2030-02-30' }, 'Dates are written yyyy-MM-dd.'],
  ['an end before its start', { endDate: '2001-01-01' }, 'The end date is before the start date.'],
  ['no organiser', { organisers: [] }, 'An event has at least one organiser.'],
  ['an unknown organiser', { organisers: ['c'.repeat(24)] }, 'The assigned user does not exist.'],
  ['a malformed organiser', { organisers: ['nobody'] }, 'The assigned user does not exist.'],
  ['an organiser twice', { organisers: ['c'.repeat(24), 'C'.repeat(24)] }, 'An organiser is listed twice.'],
  [
    'eleven organisers',
    { organisers: Array.from({ length: 11 }, (_, i) => `${i}`.padStart(24, '0')) },
    'An event has at most 10 organisers.',
  ],
  ['an unknown state', { settings: { uploads: 'ajar' } }, "Uploads are either 'open' or 'closed'."],
  ['an unknown zone', { settings: { timeZone: 'Mars/Base' } }, 'This is not a time zone.'],
  [
    'a long welcome',
    { settings: { welcome: 'x'.repeat(501) } },
    'The welcome text is longer than 500 characters.',
  ],
  [
    'a day for a time',
    { settings: { uploadsCloseAt: '2030-02-01' } },
    'The time at which uploads close is not valid.',
  ],
  ['consent to nothing', { settings: { consent: { text: ' ' } } }, 'The text that guests agree to is empty.'],
  [
    'a long consent',
    { settings: { consent: { text: 'x'.repeat(1_001) } } },
    'The text that guests agree to is longer than 1000 characters.',
  ],
  ...['http://example.org', 'javascript:alert(1)', 'terms', `https://example.org/${'x'.repeat(2_048)}`].map(
    (address): [string, object, string] => [
      `terms at ${address.slice(0, 30)}`,
      { settings: { consent: { text: 'Yes?', url: address } } },
      'The address of the terms must begin with https://.',
    ],
  ),
  ['no files', { settings: { maxFiles: 0 } }, 'The number of files must be at least 1.'],
  ['half a byte', { settings: { maxBytes: 0.5 } }, 'The number of bytes must be a whole number.'],
  ['a thousand years', { settings: { keepDays: 365_000 } }, 'An event can be kept for 36,500 days at most.'],
])('When an event is changed to have %s, then it is rejected', async (_, body, message) => {
  const event = await newEvent(url, admin, organiser)
  const reply = await change(event, body)
  expect([reply.status, reply.body.message]).toEqual([400, message])
  expect(await look(event)).toEqual(event)
})

test('When a field of a change is an operator, then it is rejected', async () => {
  const event = await newEvent(url, admin, organiser)
  for (const operator of mongoOperators)
    for (const body of [
      { name: operator },
      { startDate: operator },
      { organisers: [operator] },
      { settings: { welcome: operator } },
      { settings: { maxFiles: operator } },
    ])
      expect([body, (await change(event, body)).status]).toEqual([body, 400])
  expect(await look(event)).toEqual(event)
})

test('When the caller may not change an event, then the request is rejected', async () => {
  const event = await newEvent(url, admin, organiser)
  const stranger = await newOrganiser(system.url('auth'))
  const params = { eventId: event._id }
  const closed = { settings: { uploads: 'closed' } } as const
  expect((await call(url, updateEvent, { params, body: closed })).status).toBe(401)
  expect((await change(event, closed, stranger.token)).status).toBe(404)
  expect((await change(event, { name: 'Mine' }, organiser.token)).status).toBe(403)
  expect((await change(event, { organisers: [stranger.user._id] }, organiser.token)).status).toBe(403)
  expect((await call(url, deleteEvent, { params })).status).toBe(401)
  expect((await call(url, deleteEvent, { token: organiser.token, params })).status).toBe(403)
  const body = { email: stranger.user.email }
  expect((await call(url, inviteOrganiser, { params, body })).status).toBe(401)
  expect((await call(url, inviteOrganiser, { token: stranger.token, params, body })).status).toBe(404)
  const removal = { ...params, userId: organiser.user._id }
  expect((await call(url, removeOrganiser, { params: removal })).status).toBe(401)
  expect((await call(url, removeOrganiser, { token: stranger.token, params: removal })).status).toBe(404)
  for (const eventId of [randomBytes(12).toString('hex'), 'nonsense']) {
    expect((await change({ _id: eventId }, closed)).status).toBe(404)
    expect((await call(url, deleteEvent, { token: admin.token, params: { eventId } })).status).toBe(404)
  }
  expect(await look(event)).toEqual(event)
})

test('When an organiser is removed, then the others still manage the event, and the last one stays', async () => {
  const event = await newEvent(url, admin, organiser)
  const second = await newOrganiser(system.url('auth'))
  await change(event, { organisers: [organiser.user._id, second.user._id] })
  expect((await call(url, listMyEvents, { token: second.token })).body.events).toMatchObject([
    { _id: event._id },
  ])
  expect((await change(event, { settings: { welcome: 'Hello' } }, second.token)).status).toBe(200)

  const remove = (userId: string, token: string) =>
    call(url, removeOrganiser, { token, params: { eventId: event._id, userId } })
  expect((await remove(organiser.user._id, second.token)).body.event).toMatchObject({
    eventFor: { _id: second.user._id },
  })
  expect((await look(event, organiser.token)).eventFor).toBeUndefined()
  expect((await remove(organiser.user._id, second.token)).status).toBe(404)
  expect((await remove(second.user._id, second.token)).body).toMatchObject({ code: 'last_organiser' })
})

test('When an admin sets the organisers, then the first is the one that eventFor names', async () => {
  const event = await newEvent(url, admin, organiser)
  const second = await newOrganiser(system.url('auth'))
  const { status, body } = await change(event, { organisers: [second.user._id, organiser.user._id] })
  expect(status).toBe(200)
  expect(body.event).toMatchObject({
    eventFor: { _id: second.user._id },
    organisers: [{ _id: second.user._id }, { _id: organiser.user._id }],
  })
})

test('When many change an event at the same time, then no change is lost', async () => {
  const event = await newEvent(url, admin, organiser)
  const changes = [{ name: 'A' }, { description: 'B' }, { settings: { welcome: 'C' } }]
  const replies = await Promise.all(changes.map((body) => change(event, body)))
  for (const [index, { status }] of replies.entries())
    if (status !== 200) expect((await change(event, changes[index])).status).toBe(200)
  expect(await look(event)).toMatchObject({ name: 'A', description: 'B', settings: { welcome: 'C' } })
})

test('When events are in other time zones, then the lists go by their own days', async () => {
  const now = new Date()
  const dayIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(now)
  const [earliest, latest] = [dayIn('Etc/GMT+12'), dayIn('Pacific/Kiritimati')]
  expect(latest > earliest).toBe(true)
  const event = await newEvent(url, admin, organiser)
  await change(event, { startDate: latest, endDate: latest })
  const idsOf = async (contract: typeof listActiveEvents | typeof listUpcomingEvents) => {
    const { body } = await call(url, contract, { token: admin.token })
    return (body.events as Event[]).map(({ _id }) => _id)
  }
  await change(event, { settings: { timeZone: 'Pacific/Kiritimati' } })
  expect(await idsOf(listActiveEvents)).toContain(event._id)
  await change(event, { settings: { timeZone: 'Etc/GMT+12' } })
  expect(await idsOf(listActiveEvents)).not.toContain(event._id)
  expect(await idsOf(listUpcomingEvents)).toContain(event._id)
})

const count = (id: string) =>
  database.collection('events').countDocuments({ _id: new mongoose.Types.ObjectId(id) })

test('When an event is deleted, then it is gone at once, and its record when all is erased', async () => {
  const event = await newEvent(url, admin, organiser)
  const params = { eventId: event._id }
  const { status, body } = await call(url, deleteEvent, { token: admin.token, params })
  expect([status, body.message]).toEqual([200, 'Event deleted successfully'])
  for (const token of [admin.token, organiser.token, undefined])
    expect((await call(url, getEvent, { token, params })).status).toBe(404)
  expect((await call(url, getEventCopy, { params })).status).toBe(404)
  expect((await call(url, deleteEvent, { token: admin.token, params })).status).toBe(404)
  expect((await change(event, { name: 'Back' })).status).toBe(404)
  const mine = (await call(url, listMyEvents, { token: organiser.token })).body.events as Event[]
  expect(mine.map(({ _id }) => _id)).not.toContain(event._id)

  await eventually(() => messages.ofType('event.deleted.v1').some(({ data }) => data._id === event._id))
  const names = new RegExp(`${event.name}|${organiser.user.email}`)
  await eventually(async () => {
    const left = await database.collection('events').findOne({ _id: new mongoose.Types.ObjectId(event._id) })
    return !names.test(JSON.stringify(left))
  }, 'the publication of what was in its outbox')
  // Auth runs, and has confirmed.
  await eventually(() =>
    messages
      .ofType('event.erased.v1')
      .some(({ data }) => data.eventId === event._id && data.service === 'auth'),
  )
  const erased = () =>
    toEnvelope(newMessage('uploads.erased.v1', { eventId: event._id }), '/services/uploads')
  await deliver('uploads-erased', () => messages.publish(erased()))
  expect(await count(event._id)).toBe(1)
  await deliver('event-erased', () => messages.publish(erasedBy('notifications', event)))
  expect(await count(event._id)).toBe(0)
  // It may be delivered twice.
  await deliver('uploads-erased', () => messages.publish(erased()))
})

test('When a service does not confirm the erasure of an event, then it is asked again, and a metric names it', async () => {
  const event = await newEvent(url, admin, organiser)
  await call(url, deleteEvent, { token: admin.token, params: { eventId: event._id } })
  const countRequests = () =>
    messages.distinct('event.deleted.v1').filter(({ data }) => data._id === event._id).length
  await eventually(() => countRequests() === 1)
  await deliver('event-erased', () => messages.publish(erasedBy('uploads', event)))
  await eventually(
    async () =>
      (await readCounter(system, 'events', 'events_erasure_oldest_age_seconds', {
        holder: 'notifications',
      })) > 0,
    'the age of the deletion',
  )
  await database
    .collection('events')
    .updateOne({ _id: new mongoose.Types.ObjectId(event._id) }, { $set: { erasureRequestedAt: new Date(0) } })
  await eventually(() => countRequests() === 2, 'the second request')
})

test('When an operator stores that an event is deleted which only other services have, then all are asked to erase it', async () => {
  const _id = new mongoose.Types.ObjectId()
  // The record of the runbook for restoring.
  await database.collection('events').insertOne({
    _id,
    deletedAt: new Date(),
    erasureRequestedAt: new Date(0),
    outbox: [],
    outboxPending: false,
    outboxVersion: 0,
    outboxLeaseUntil: new Date(0),
  })
  const eventId = _id.toHexString()
  await eventually(
    () => messages.ofType('event.deleted.v1').some(({ data }) => data._id === eventId),
    'the request',
  )
  for (const service of ['auth', 'notifications', 'uploads'])
    await deliver('event-erased', () => messages.publish(erasedBy(service, { _id: eventId })))
  await eventually(async () => (await count(eventId)) === 0, 'the end of the erasure')
})

test('When all services report an event as erased that exists, then it stays', async () => {
  const event = await newEvent(url, admin, organiser)
  for (const service of ['auth', 'notifications', 'uploads'])
    await deliver('event-erased', () => messages.publish(erasedBy(service, event)))
  expect(await count(event._id)).toBe(1)
})

test('When an event would be deleted before its uploads close, then it is deleted when they do, also if it was stored otherwise', async () => {
  const event = await newEvent(url, admin, organiser, { startsIn: -12, endsIn: -10 })
  const kept = await change(event, { settings: { keepDays: 5 } }, organiser.token)
  expect(kept).toMatchObject({ status: 200, body: { event: { deleteAt: event.uploadsCloseAt } } })
  const uploadsCloseAt = new Date(Date.now() + 4 * 86_400_000).toISOString()
  const closing = await change(event, { settings: { uploadsCloseAt } })
  expect(closing.body.event).toMatchObject({ uploadsCloseAt, deleteAt: uploadsCloseAt })
  const sent = await eventually(() => changesOf(event).length === 2 && changesOf(event))
  expect(sent[1]?.data.deleteAt).toBe(uploadsCloseAt)

  await database
    .collection('events')
    .updateOne({ _id: new mongoose.Types.ObjectId(event._id) }, { $set: { deleteAt: new Date(0) } })
  const closed = await newEvent(url, admin, organiser, { startsIn: -42, endsIn: -40 })
  await database
    .collection('events')
    .updateOne({ _id: new mongoose.Types.ObjectId(closed._id) }, { $set: { deleteAt: new Date(0) } })
  await eventually(() => messages.ofType('event.deleted.v1').some(({ data }) => data._id === closed._id))
  expect(await look(event)).toMatchObject({ deleteAt: uploadsCloseAt })
})

test('When a change would have an event deleted within three days, then it is deleted in three, however often it is changed', async () => {
  const event = await newEvent(url, admin, organiser, { startsIn: -42, endsIn: -40 })
  const changedAt = Date.now()
  const { body } = await change(event, { settings: { keepDays: 40 } }, organiser.token)
  const { deleteAt = '' } = body.event as Event
  const days = (Date.parse(deleteAt) - changedAt) / 86_400_000
  expect([days >= 3, days < 3.01]).toEqual([true, true])
  const sent = await eventually(() => changesOf(event).length === 1 && changesOf(event))
  expect(sent[0]?.data.deleteAt).toBe(deleteAt)
  // Guests see it, too.
  expect((await call(url, getEvent, { params: { eventId: event._id } })).body).toMatchObject({ deleteAt })

  for (const settings of [{ welcome: 'Hello' }, { keepDays: 40 }, { gallery: 'on' }])
    expect((await change(event, { settings }, organiser.token)).body.event).toMatchObject({ deleteAt })
  const later = await change(event, { settings: { keepDays: 60 } }, organiser.token)
  expect(Date.parse((later.body.event as Event).deleteAt ?? '')).toBeGreaterThan(Date.parse(deleteAt))
})

test('When the keep days of an event have passed, then it is deleted', async () => {
  const event = await newEvent(url, admin, organiser, { startsIn: -42, endsIn: -40 })
  await change(event, { settings: { keepDays: 60 } })
  expect(await look(event)).toMatchObject({ deleteAt: expect.any(String) })
  const { status, body } = await change(event, { settings: { keepDays: 5 } }, organiser.token)
  expect([status, body.message]).toEqual([400, 'The event would be deleted at once. Choose more days.'])
  await database
    .collection('events')
    .updateOne({ _id: new mongoose.Types.ObjectId(event._id) }, { $set: { deleteAt: new Date() } })
  await eventually(() => messages.ofType('event.deleted.v1').some(({ data }) => data._id === event._id))
  expect((await call(url, getEvent, { params: { eventId: event._id } })).status).toBe(404)
})

test('When an earlier version wrote an event, then it can be read, listed and changed, and the first organiser is stored once', async () => {
  const _id = new mongoose.Types.ObjectId()
  await database.collection('events').insertOne({
    _id,
    name: 'Summer party',
    description: '',
    startDate: '2030-06-12',
    endDate: '2030-06-14',
    organiserId: organiser.user._id,
    organiserEmail: organiser.user.email,
    organisers: [{ _id: organiser.user._id, email: organiser.user.email }],
    revision: 0,
    uploadsCloseAt: new Date('2030-07-15T00:00:00Z'),
    createdAt: new Date('2029-06-12T10:00:00Z'),
    outbox: [],
    outboxPending: false,
    outboxVersion: 1,
    outboxLeaseUntil: new Date(0),
  })
  const event = { _id: _id.toHexString() }
  const expected = {
    name: 'Summer party',
    eventFor: { _id: organiser.user._id, email: organiser.user.email },
    settings: {},
    uploadsOpen: true,
  }
  expect(await look(event, organiser.token)).toMatchObject(expected)
  const mine = (await call(url, listMyEvents, { token: organiser.token })).body.events as Event[]
  expect(mine).toContainEqual(expect.objectContaining(event))
  const { body } = await change(event, { settings: { welcome: 'Hi' } }, organiser.token)
  expect(body.event).toMatchObject({ ...expected, settings: { welcome: 'Hi' } })
  const stored = await database.collection('events').findOne({ _id })
  expect(stored).not.toHaveProperty('organiserId')
  expect(stored).not.toHaveProperty('organiserEmail')
})

test('When accounts change or are deleted, then events follow, in whatever order the messages arrive', async () => {
  const account = await newOrganiser(system.url('auth'))
  const { _id, email } = account.user
  const event = await newEvent(url, admin, account)
  await change(event, { organisers: [_id, organiser.user._id] })
  const publish = (revision: number, active: boolean) =>
    messages.publish(
      toEnvelope(
        newMessage('user.changed.v1', { _id, email, role: 'user', active, revision }),
        '/services/auth',
      ),
    )
  const create = () =>
    call(url, createEvent, {
      token: admin.token,
      body: { name: 'x', startDate: '2030-01-01', endDate: '2030-01-01', eventFor: _id },
    })
  await deliver('user-changed', () => publish(3, false))
  expect((await create()).status).toBe(400)
  // An older message.
  await deliver('user-changed', () => publish(2, true))
  expect((await create()).status).toBe(400)
  const deletion = toEnvelope(newMessage('user.deleted.v1', { _id, email }), '/services/auth')
  await deliver('user-deleted', () => messages.publish(deletion))
  const changed = await eventually(async () => {
    const current = await look(event)
    return current.organisers.length === 1 && current
  }, 'the end of the account')
  expect(changed.eventFor._id).toBe(organiser.user._id)
  await deliver('user-changed', () => publish(4, true))
  await deliver('user-deleted', () => messages.publish({ ...deletion, id: randomBytes(8).toString('hex') }))
  const users = database.collection<{ _id: string }>('users')
  await eventually(async () => (await users.countDocuments({ _id })) === 0, 'the end of the copy')
})

test('When an account was deactivated and its copy is missing, then no event is assigned to it', async () => {
  const { user } = await newOrganiser(system.url('auth'))
  const { _id } = user
  const users = database.collection<{ _id: string; active: boolean }>('users')
  await eventually(async () => (await users.countDocuments({ _id })) === 1, 'the copy')
  const params = { userId: _id }
  await call(system.url('auth'), updateUser, { token: admin.token, params, body: { active: false } })
  await eventually(
    async () => (await users.deleteOne({ _id, active: false })).deletedCount === 1,
    'the change',
  )
  const details = { name: 'x', startDate: '2030-01-01', endDate: '2030-01-01' }
  const { status, body } = await call(url, createEvent, {
    token: admin.token,
    body: { ...details, eventFor: _id },
  })
  expect([status, body.code]).toEqual([400, 'unknown_user'])
})

test('When an account is erased while an event is assigned to it, then the event does not keep it', async () => {
  const account = await newOrganiser(system.url('auth'))
  const { _id, email } = account.user
  const kept = await newEvent(url, admin, organiser)
  await newEvent(url, admin, account)
  const users = database.collection<{ _id: string }>('users')
  const copy = await users.findOne({ _id })
  await messages.publish(toEnvelope(newMessage('user.deleted.v1', { _id, email }), '/services/auth'))
  await eventually(async () => (await users.countDocuments({ _id })) === 0, 'the end of the copy')
  const traces = async () => JSON.stringify(await database.collection('events').find().toArray())
  await eventually(async () => !(await traces()).includes(_id), 'the end of the account')

  // As a request finds it that began before the erasure.
  const restoreCopy = () => users.insertOne(copy ?? { _id })
  await restoreCopy()
  const details = { name: 'x', startDate: '2030-01-01', endDate: '2030-01-01' }
  const created = await call(url, createEvent, { token: admin.token, body: { ...details, eventFor: _id } })
  await restoreCopy()
  const changed = await change(kept, { organisers: [organiser.user._id, _id] })
  expect([created.status, changed.status]).toEqual([201, 200])
  for (const { body } of [created, changed]) expect(JSON.stringify(body)).not.toContain(_id)
  await eventually(
    async () => !(await traces()).includes(_id),
    'the messages about the account to be published',
  )
  expect((await look(kept)).organisers).toEqual([{ _id: organiser.user._id, email: organiser.user.email }])
})

test('When the only organiser of an event is erased, then admins still have it', async () => {
  const account = await newOrganiser(system.url('auth'))
  const event = await newEvent(url, admin, account)
  await messages.publish(toEnvelope(newMessage('user.deleted.v1', account.user), '/services/auth'))
  const changed = await eventually(async () => {
    const current = await look(event)
    return current.organisers.length === 0 && current
  }, 'the end of the account')
  expect(changed.eventFor).toEqual({ _id: '0'.repeat(24), email: '' })
  await eventually(
    async () =>
      !JSON.stringify(await database.collection('events').find().toArray()).includes(account.user.email),
    'the messages about the account to be published',
  )
})
