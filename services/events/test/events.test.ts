import { randomBytes } from 'node:crypto'
import {
  createEvent,
  createQrCode,
  getEvent,
  getEventCopy,
  listActiveEvents,
  listMyEvents,
  listPastEvents,
  listUpcomingEvents,
  type Event,
  type RouteContract,
} from '@confetti/contracts'
import {
  call,
  eventually,
  recordMessages,
  newAdmin,
  newEvent,
  newOrganiser,
  mongoOperators,
  startTestSystem,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import jsQR from 'jsqr'
import sharp from 'sharp'

let system: TestSystem
let messages: RecordedMessages
let url: string
let admin: Account
let organiser: Account

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events'],
    environment: {
      auth: { ACCESS_TOKEN_SECONDS: '3600' },
      // A zone other than the default, whose days are the same.
      events: { EVENT_TIME_ZONE: 'Etc/UTC' },
    },
  })
  messages = await recordMessages(system)
  url = system.url('events')
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
})

afterAll(async () => {
  await messages.close()
  await system.stop()
})

const complete = () => ({
  name: 'Fête d’été & dancing',
  description: 'Garden party, dinner\nand dancing',
  startDate: '2030-06-12',
  endDate: '2030-06-14',
  eventFor: organiser.user._id,
})

test('When an admin creates an event, then it is returned, published and listed for its organiser', async () => {
  const { status, body } = await call(url, createEvent, { token: admin.token, body: complete() })
  expect(status).toBe(201)
  expect(body.event).toMatchObject({
    ...complete(),
    eventFor: { _id: organiser.user._id, email: organiser.user.email },
    uploadUrl: `http://localhost:3000/upload?eventId=${body.event._id}`,
    uploadsOpen: true,
    uploadsCloseAt: '2030-07-15T00:00:00.000Z',
    timeZone: 'Etc/UTC',
  })
  const mine = await call(url, listMyEvents, { token: organiser.token })
  expect(mine.body.events).toContainEqual(body.event)
  const message = await eventually(() =>
    messages.ofType('event.created.v1').find(({ data }) => data._id === body.event._id),
  )
  expect(message).toMatchObject({ source: '/services/events', data: { eventFor: organiser.user._id } })
})

test('When events are created, then nothing in an id tells about another, and those of one day are in the order of their creation', async () => {
  const owner = await newOrganiser(system.url('auth'))
  const body = { ...complete(), eventFor: owner.user._id }
  const ids: string[] = []
  for (let n = 0; n < 8; n += 1)
    ids.push((await call(url, createEvent, { token: admin.token, body })).body.event._id)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/)
  // MongoDB's own ids: seconds, process, counter.
  const distinct = (from: number, to: number) => new Set(ids.map((id) => id.slice(from, to))).size
  expect([distinct(0, 8), distinct(8, 18)]).toEqual([8, 8])

  const mine = await call(url, listMyEvents, { token: owner.token })
  expect(mine.body.events.map(({ _id }: Event) => _id)).toEqual(ids.toReversed())
  const upcoming = await call(url, listUpcomingEvents, { token: admin.token })
  expect(upcoming.body.events.map(({ _id }: Event) => _id).filter((id: string) => ids.includes(id))).toEqual(
    ids,
  )
})

const without = (field: string) => () =>
  Object.fromEntries(Object.entries(complete()).filter(([name]) => name !== field))
const missing = 'Please fill in all required fields including user.'

test.each<[string, () => object, string]>([
  ['no name', without('name'), missing],
  ['a blank name', () => ({ ...complete(), name: ' \n ' }), missing],
  ['no start', without('startDate'), missing],
  ['an empty end', () => ({ ...complete(), endDate: '' }), missing],
  ['no user', without('eventFor'), missing],
  ['nothing', () => ({}), missing],
  [
    'a day that does not exist',
    () => ({ ...complete(), endDate: '2030-02-30' }),
    'Dates are written yyyy-MM-dd.',
  ],
  [
    'a time for a day',
    () => ({ ...complete(), startDate: '2030-06-12T00:00:00Z' }),
    'Dates are written yyyy-MM-dd.',
  ],
  [
    'an end date after the last allowed day',
    () => ({ ...complete(), endDate: '9999-12-31' }),
    'The last day that an event can have is 9000-12-31.',
  ],
  ['a null description', () => ({ ...complete(), description: null }), 'A text was expected.'],
  [
    'an end before its start',
    () => ({ ...complete(), endDate: '2030-06-11' }),
    'The end date is before the start date.',
  ],
  [
    'an unknown user',
    () => ({ ...complete(), eventFor: 'c'.repeat(24) }),
    'The assigned user does not exist.',
  ],
  ['a malformed user', () => ({ ...complete(), eventFor: 'nobody' }), 'The assigned user does not exist.'],
  [
    'an admin for a user',
    () => ({ ...complete(), eventFor: admin.user._id }),
    'The assigned user does not exist.',
  ],
  [
    'a long name',
    () => ({ ...complete(), name: 'x'.repeat(201) }),
    'The event name is longer than 200 characters.',
  ],
  [
    'a long description',
    () => ({ ...complete(), description: 'x'.repeat(5_001) }),
    'The description is longer than 5000 characters.',
  ],
])('When an event is created with %s, then it is rejected', async (_, body, message) => {
  const reply = await call(url, createEvent, { token: admin.token, body: body() })
  expect([reply.status, reply.body.message]).toEqual([400, message])
})

test.each(['name', 'description', 'startDate', 'endDate', 'eventFor'] as const)(
  'When the %s of an event is an operator or a list, then it is rejected',
  async (field) => {
    for (const value of [...mongoOperators, [complete()[field]]]) {
      const body = { ...complete(), [field]: value }
      const reply = await call(url, createEvent, { token: admin.token, body })
      expect([value, reply.status, reply.body.message]).toEqual([
        value,
        400,
        field === 'description' ? 'A text was expected.' : missing,
      ])
    }
  },
)

test('When an organiser has just registered, then an event can be assigned at once', async () => {
  const fresh = await newOrganiser(system.url('auth'))
  expect((await newEvent(url, admin, fresh)).eventFor.email).toBe(fresh.user.email)
})

test('When events take place around today, then each is in the matching list', async () => {
  const make = (startsIn: number, endsIn: number) => newEvent(url, admin, organiser, { startsIn, endsIn })
  const [today, spanning, tomorrow, yesterday] = await Promise.all([
    make(0, 0),
    make(-2, 2),
    make(1, 3),
    make(-5, -1),
  ])
  const idsOf = async (contract: RouteContract) => {
    const { body } = await call(url, contract, { token: admin.token })
    return (body.events as Event[]).map(({ _id }) => _id)
  }
  const active = await idsOf(listActiveEvents)
  const upcoming = await idsOf(listUpcomingEvents)
  const past = await idsOf(listPastEvents)
  expect(active).toEqual(expect.arrayContaining([today._id, spanning._id]))
  expect(upcoming).toContain(tomorrow._id)
  expect(past).toContain(yesterday._id)
  expect(new Set([...active, ...upcoming, ...past]).size).toBe(active.length + upcoming.length + past.length)
})

test('When an event is requested, then admin and organiser get all of it and everyone else the guest view', async () => {
  const event = await newEvent(url, admin, organiser)
  const stranger = await newOrganiser(system.url('auth'))
  const look = async (token?: string) =>
    (await call(url, getEvent, { token, params: { eventId: event._id } })).body
  expect(await look(admin.token)).toEqual({ ...event, event })
  expect(await look(organiser.token)).toEqual({ ...event, event })
  const guest = Object.fromEntries(
    Object.entries(event).filter(
      ([field]) =>
        ![
          'eventFor',
          'organisers',
          'organiserInvitations',
          'settings',
          'savesWithGallery',
          'hasWall',
          'uploadUrl',
          'shortCode',
          'shortUrl',
          'createdAt',
        ].includes(field),
    ),
  )
  for (const token of [undefined, stranger.token, 'nonsense', `${admin.token}x`])
    expect(await look(token)).toEqual({ ...guest, event: guest })
})

test('When an event ended long ago, then guests see that it is closed', async () => {
  const event = await newEvent(url, admin, organiser, { startsIn: -60, endsIn: -50 })
  const { body } = await call(url, getEvent, { params: { eventId: event._id } })
  expect(body.uploadsOpen).toBe(false)
})

test('When the QR code is requested, then it decodes to the upload link', async () => {
  const event = await newEvent(url, admin, organiser)
  const ask = (token?: string) => call(url, createQrCode, { token, params: { eventId: event._id } })
  const { status, body } = await ask(organiser.token)
  expect([status, body.uploadUrl]).toEqual([200, event.uploadUrl])
  const png = Buffer.from((body.qrCodeDataUrl as string).split(',')[1] ?? '', 'base64')
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  expect(jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(event.uploadUrl)

  expect((await ask(admin.token)).status).toBe(200)
  expect((await ask((await newOrganiser(system.url('auth'))).token)).status).toBe(404)
  expect((await ask()).status).toBe(401)
})

test('When the caller has no permission, then the request is rejected', async () => {
  for (const contract of [listActiveEvents, listUpcomingEvents, listPastEvents, createEvent]) {
    expect(
      (await call(url, contract, { body: contract === createEvent ? complete() : undefined })).status,
    ).toBe(401)
    expect(
      (await call(url, contract, { token: organiser.token, body: contract === createEvent ? {} : undefined }))
        .status,
    ).toBe(403)
  }
  expect((await call(url, listMyEvents)).status).toBe(401)
  expect((await call(url, listMyEvents, { token: admin.token })).status).toBe(403)
})

test.each([getEvent, createQrCode, getEventCopy])(
  'When an id is unknown or malformed, then %j answers 404',
  async (contract) => {
    for (const eventId of [randomBytes(12).toString('hex'), 'nonsense', '../active', '%00'])
      expect((await call(url, contract, { token: admin.token, params: { eventId } })).status).toBe(404)
  },
)

test('When the body is not JSON or too large, then the error says so', async () => {
  const post = async (body: string) => {
    const response = await fetch(`${url}/api/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${admin.token}`, 'Content-Type': 'application/json' },
      body,
    })
    return response.status
  }
  expect(await post('{"name":')).toBe(400)
  expect(await post(JSON.stringify({ ...complete(), description: 'x'.repeat(110_000) }))).toBe(413)
})
