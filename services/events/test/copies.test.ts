import {
  getEventCopy,
  listChangedEvents,
  listChangedUsers,
  listUsers,
  refresh,
  updateEvent,
  updateUser,
  type EventCopy,
  type UserCopy,
} from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import { createLogger, keepEventCopies, unavailable } from '@confetti/service-kit'
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
import mongoose, { type Connection } from 'mongoose'
import { Registry } from 'prom-client'

let now = Date.now()
let system: TestSystem
let database: Connection
let url: string
let admin: Account
let organiser: Account

beforeAll(async () => {
  system = await startTestSystem({ services: ['auth', 'events'], clock: () => new Date(now) })
  database = await mongoose
    .createConnection(databaseUrl(system.backends.mongo, system.namespace, 'events'))
    .asPromise()
  url = system.url('events')
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
})
afterAll(async () => {
  await database.close()
  await system.stop()
})

/** What keeps copies of events up to date, with `save`, when it is called. */
const startCopying = (registry: Registry, save: (event: EventCopy) => Promise<boolean>) => {
  let run = (): Promise<void> => Promise.reject(new Error('Nothing runs'))
  keepEventCopies(
    {
      registry,
      config: { EVENTS_URL: url } as never,
      stopping: new AbortController().signal,
      logger: createLogger('test', 'fatal'),
      runEvery: (_intervalMs, _name, work) => (run = work),
    },
    database,
    save,
  )
  return run
}

/** By then changes are listed: their messages have arrived, or are lost. */
const passMinute = (): void => {
  now += 61_000
}

const listEvents = async (since?: string) => {
  const { status, body } = await call(url, listChangedEvents, since ? { query: { since } } : {})
  expect(status).toBe(200)
  return body as { events: EventCopy[]; position?: string }
}
const namesOf = ({ events }: { events: readonly EventCopy[] }) => events.map(({ name }) => name)

test('When events change, then each is listed a minute later, in the order of the changes, after a position', async () => {
  const first = await newEvent(url, admin, organiser)
  now += 1
  const second = await newEvent(url, admin, organiser)
  expect(namesOf(await listEvents())).toEqual([])
  passMinute()
  const listed = await listEvents()
  expect(namesOf(listed)).toEqual([first.name, second.name])
  expect(await listEvents(listed.position)).toEqual({ events: [] })

  await call(url, updateEvent, {
    token: admin.token,
    params: { eventId: first._id },
    body: { name: 'Changed' },
  })
  expect(namesOf(await listEvents(listed.position))).toEqual([])
  passMinute()
  expect((await listEvents(listed.position)).events).toMatchObject([
    { _id: first._id, name: 'Changed', revision: expect.any(Number) },
  ])
  expect((await call(url, listChangedEvents, { query: { since: 'no position' } })).status).toBe(400)
})

test('When an earlier version has written an event, then it is listed once as changed', async () => {
  const event = await newEvent(url, admin, organiser)
  const { events: before, position } = await listEvents()
  expect(before.map(({ _id }) => _id)).not.toContain(event._id)
  await database
    .collection('events')
    .updateOne({ _id: new mongoose.Types.ObjectId(event._id) }, { $unset: { changedAt: 1 } })
  await listEvents()
  passMinute()
  const after = await listEvents(position)
  expect(after.events.map(({ _id }) => _id)).toEqual([event._id])
  expect((await listEvents(after.position)).events).toEqual([])
})

test('When messages about events are lost, then the copies become true, but for one that can never be saved', async () => {
  const registry = new Registry()
  const copies = new Map<string, number>()
  let failure: { _id: string; error: Error } | undefined
  const run = startCopying(registry, ({ _id, revision }) => {
    if (_id === failure?._id) return Promise.reject(failure.error)
    const isOlder = (copies.get(_id) ?? -1) < revision
    copies.set(_id, revision)
    return Promise.resolve(isOlder)
  })
  const countCorrected = async () =>
    Number(
      /\{copies="events"\} (\d+)/.exec(await registry.getSingleMetricAsString('copies_corrected_total'))?.[1],
    )
  passMinute()
  // The first list has all events, and says nothing of lost messages.
  await run()
  expect([copies.size > 0, await countCorrected()]).toEqual([true, 0])

  const firstEvent = await newEvent(url, admin, organiser)
  // Of two changes at the same time, that of the lower id comes first, and ids are random.
  now += 1
  const events = [firstEvent, await newEvent(url, admin, organiser)]
  const [first, second] = events.map(({ _id }) => _id)
  passMinute()
  failure = { _id: first ?? '', error: unavailable('The database is gone') }
  await expect(run()).rejects.toThrow('The database is gone')
  expect(events.map(({ _id }) => copies.has(_id))).toEqual([false, false])
  failure = undefined
  await run()
  expect(events.map(({ _id }) => copies.has(_id))).toEqual([true, true])
  expect(await countCorrected()).toBe(2)

  for (const event of events)
    await call(url, updateEvent, {
      token: admin.token,
      params: { eventId: event._id },
      body: { name: 'Changed' },
    })
  passMinute()
  failure = { _id: first ?? '', error: new Error('It cannot be saved') }
  await expect(run()).rejects.toThrow('some copies could not be saved')
  expect([copies.get(first ?? ''), copies.get(second ?? '')]).toEqual([0, expect.any(Number)])
  expect(copies.get(second ?? '')).toBeGreaterThan(0)
  failure = undefined
  copies.clear()
  await run()
  expect(copies.size).toBe(0)
})

test('When the database was restored from a backup, then the next change of an event is newer than the copies of what was lost', async () => {
  const { _id } = await newEvent(url, admin, organiser)
  const events = database.collection('events')
  const id = { _id: new mongoose.Types.ObjectId(_id) }
  const change = async (name: string): Promise<EventCopy> => {
    now += 1_000
    await call(url, updateEvent, { token: admin.token, params: { eventId: _id }, body: { name } })
    return (await call(url, getEventCopy, { params: { eventId: _id } })).body as EventCopy
  }
  const backup = await events.findOne(id)
  await change('Lost')
  const lost = await change('Lost, too')
  await events.replaceOne(id, backup ?? {})
  const changed = await change('Changed')
  expect(changed.name).toBe('Changed')
  expect(changed.revision).toBeGreaterThan(lost.revision)
})

test('When the database was restored and an operator marks all events as changed, then the copies become those of the backup', async () => {
  const changed = await newEvent(url, admin, organiser)
  const restored = await newEvent(url, admin, organiser)
  const events = database.collection('events')
  const ids = [changed, restored].map(({ _id }) => new mongoose.Types.ObjectId(_id))
  const backup = await events.find({ _id: { $in: ids } }).toArray()
  // An older backup is restored first.
  await events.deleteOne({ _id: ids[1] as never })
  now += 1_000
  await call(url, updateEvent, {
    token: admin.token,
    params: { eventId: changed._id },
    body: { name: 'Lost' },
  })
  passMinute()
  const copies = new Map<string, EventCopy>()
  const run = startCopying(new Registry(), (event) => {
    const isOlder = (copies.get(event._id)?.revision ?? -1) < event.revision
    if (isOlder) copies.set(event._id, event)
    return Promise.resolve(isOlder)
  })
  const namesOfCopies = () => [changed, restored].map(({ _id }) => copies.get(_id)?.name)
  await run()
  expect(namesOfCopies()).toEqual(['Lost', undefined])

  await events.deleteMany({ _id: { $in: ids } })
  await events.insertMany(backup)
  // The commands of the runbook for restoring, with the clock of the test.
  await events.updateMany(
    { deletedAt: null },
    { $set: { revision: now, changedAt: null }, $unset: { postponedTo: 1 } },
  )
  await database.collection('duechecks').deleteMany({})
  await run()
  passMinute()
  await run()
  expect(namesOfCopies()).toEqual([changed.name, restored.name])
})

test('When the accounts were restored and an operator marks all as changed, then they are listed as newer, and sessions go on', async () => {
  const auth = system.url('auth')
  const users = mongoose.createConnection(databaseUrl(system.backends.mongo, system.namespace, 'auth'))
  const { user, token, refreshToken } = await newOrganiser(auth)
  const _id = new mongoose.Types.ObjectId(user._id)
  const list = async (since?: string) => {
    const { body } = await call(auth, listChangedUsers, since ? { query: { since } } : {})
    return body as { users: UserCopy[]; position?: string }
  }
  const stored = await users.collection('users').findOne({ _id })
  now += 1_000
  await call(auth, updateUser, { token: admin.token, params: { userId: user._id }, body: { role: 'admin' } })
  passMinute()
  const { users: lost, position } = await list()
  await users.collection('users').replaceOne({ _id }, stored ?? {})
  // The update of the runbook for restoring, with the clock of the test.
  await users
    .collection('users')
    .updateMany(
      { erased: { $ne: true } },
      { $set: { revision: now, copyRevision: now, changedAt: null } as never },
    )
  await list(position)
  passMinute()
  const copy = (await list(position)).users.find((each) => each._id === user._id)
  expect(copy).toMatchObject({ role: 'user' })
  expect(copy?.revision).toBeGreaterThan(lost.find((each) => each._id === user._id)?.revision ?? Infinity)
  expect((await call(auth, listUsers, { token })).status).toBe(403)
  expect((await call(auth, refresh, { body: { refreshToken } })).status).toBe(200)
  await users.close()
})

test('When an account changes, then it is listed with the revision of its last message', async () => {
  const auth = system.url('auth')
  const { user } = await newOrganiser(auth)
  const list = async () => {
    const { body } = await call(auth, listChangedUsers, {})
    return (body.users as UserCopy[]).find(({ _id }) => _id === user._id)
  }
  expect(await list()).toBeUndefined()
  passMinute()
  expect(await list()).toMatchObject({ ...user, active: true, revision: 0 })
  await call(auth, updateUser, {
    token: admin.token,
    params: { userId: user._id },
    body: { active: false },
  })
  expect(await list()).toBeUndefined()
  passMinute()
  expect(await list()).toMatchObject({ ...user, active: false, revision: expect.any(Number) })
})
