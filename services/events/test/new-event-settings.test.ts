import { updateEvent, type Event } from '@confetti/contracts'
import {
  call,
  newAdmin,
  newEvent,
  newOrganiser,
  startTestSystem,
  type Account,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
let url: string
let admin: Account
let organiser: Account

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events'],
    environment: { events: { NEW_EVENT_KEEP_DAYS: '90' } },
  })
  url = system.url('events')
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
})
afterAll(() => system.stop())

const change = ({ _id }: Event, { token }: Account, settings: object) =>
  call(url, updateEvent, { token, params: { eventId: _id }, body: { settings } })

test('When new events are kept for 90 days, then one that ended earlier is kept until an admin decides', async () => {
  const current = await newEvent(url, admin, organiser)
  expect(current.settings).toEqual({ keepDays: 90 })
  expect(current).toMatchObject({ deleteAt: expect.any(String) })

  const past = await newEvent(url, admin, organiser, { startsIn: -400, endsIn: -399 })
  expect(past.settings).toEqual({})
  expect(past).not.toHaveProperty('deleteAt')
  expect((await change(past, admin, { keepDays: 500 })).body.event).toMatchObject({
    deleteAt: expect.any(String),
  })
})

test('When the operator bounds how long events are kept, then organisers stay within that, and admins need not', async () => {
  const bounded = await startTestSystem({
    services: ['auth', 'events'],
    environment: { events: { MIN_KEEP_DAYS: '30', MAX_KEEP_DAYS: '365' } },
  })
  try {
    const boundedAdmin = await newAdmin(bounded, bounded.url('auth'))
    const boundedOrganiser = await newOrganiser(bounded.url('auth'))
    const event = await newEvent(bounded.url('events'), boundedAdmin, boundedOrganiser)
    const keep = async ({ token }: Account, keepDays: number | null) => {
      const request = { token, params: { eventId: event._id }, body: { settings: { keepDays } } }
      const { status, body } = await call(bounded.url('events'), updateEvent, request)
      return [status, body.code ?? body.event.settings.keepDays]
    }
    expect(event.settings).toEqual({ keepDays: 365 })
    expect(await keep(boundedOrganiser, 29)).toEqual([403, 'limit_too_low'])
    expect(await keep(boundedOrganiser, 366)).toEqual([403, 'limit_too_high'])
    expect(await keep(boundedOrganiser, null)).toEqual([403, 'limit_too_high'])
    expect(await keep(boundedOrganiser, 30)).toEqual([200, 30])
    expect(await keep(boundedAdmin, 7)).toEqual([200, 7])
    // What an admin has set stays possible.
    expect(await keep(boundedOrganiser, 7)).toEqual([200, 7])
    expect(await keep(boundedOrganiser, 6)).toEqual([403, 'limit_too_low'])
    expect(await keep(boundedAdmin, null)).toEqual([200, undefined])
    expect(await keep(boundedOrganiser, 500)).toEqual([200, 500])
    expect(await keep(boundedOrganiser, 501)).toEqual([403, 'limit_too_high'])
  } finally {
    await bounded.stop()
  }
})

test('When new events have no limits, then the limits that an admin has set bind organisers', async () => {
  const event = await newEvent(url, admin, organiser)
  expect((await change(event, organiser, { maxFiles: 10_000 })).status).toBe(200)
  expect((await change(event, admin, { maxFiles: 100 })).status).toBe(200)
  for (const maxFiles of [101, null]) {
    const { status, body } = await change(event, organiser, { maxFiles })
    expect([status, body.code]).toEqual([403, 'limit_too_high'])
  }
  expect((await change(event, organiser, { maxFiles: 50 })).status).toBe(200)
})
