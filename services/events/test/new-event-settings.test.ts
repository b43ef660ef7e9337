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
