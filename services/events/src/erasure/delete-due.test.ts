import { createLogger } from '@confetti/service-kit'
import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createDueCheckStore } from '../storage/due-check-store.ts'
import { createEventModel, type EventDocument } from '../storage/event-model.ts'
import { createEventStore } from '../storage/event-store.ts'
import { createDeleteDue } from './delete-due.ts'

const HOUR_MS = 3_600_000
const NOTICE_MS = 72 * HOUR_MS
const startedAt = Date.parse('2031-06-02T21:00:00Z')
const hoursLater = (hours: number) => new Date(startedAt + hours * HOUR_MS)

const open = () => {
  let now = startedAt
  const clock = () => new Date(now)
  const connection = createMemoryDatabase().connect()
  const model = createEventModel(connection)
  const events = createEventStore(model, { config: {} as never, wakeRelay: () => undefined, clock })
  const checks = connection.collection('duechecks')
  const deps = {
    events,
    dueChecks: createDueCheckStore(connection),
    stopping: new AbortController().signal,
    clock,
    logger: createLogger('test', 'fatal'),
  } as unknown as Deps
  let sweep = createDeleteDue(deps, () => undefined)
  return {
    events,
    model,
    sweep: () => sweep(),
    /** The process starts again. */
    restart: () => {
      sweep = createDeleteDue(deps, () => undefined)
    },
    pass: (ms: number) => {
      now += ms
    },
    now: clock,
    create: (deleteAt: Date) =>
      events.create({
        name: 'Garden party',
        description: '',
        startDate: '2031-05-01',
        endDate: '2031-05-01',
        organisers: [],
        organiserInvitations: [],
        recentInvitations: [],
        settings: { keepDays: 32 },
        uploadsCloseAt: hoursLater(-1),
        deleteAt,
        createdAt: hoursLater(-1),
      }),
    deleteAtOf: async (id: string) => (await events.find(id))?.deleteAt,
    /** Returns a function that makes the database again what it is now, as operators do. */
    backUp: async () => {
      const [documents, marks] = [await model.find().lean<EventDocument[]>(), await checks.find({}).toArray()]
      return async () => {
        await model.deleteMany({})
        await model.collection.insertMany(documents)
        await checks.deleteMany({})
        await checks.insertMany(marks)
        // The commands of the runbook for restoring.
        await model.updateMany(
          { deletedAt: null },
          { $set: { revision: now, changedAt: null }, $unset: { postponedTo: 1 } },
        )
        await checks.deleteMany({})
      }
    },
  }
}

test('When a backup is restored in which an event was to be deleted that was postponed since, then it gets three days, and copies learn it', async () => {
  const { events, model, sweep, restart, pass, now, create, deleteAtOf, backUp } = open()
  await sweep()
  const due = await create(hoursLater(3))
  const dueAfterTheRestore = await create(hoursLater(15))
  const dueLater = await create(hoursLater(200))
  const restore = await backUp()
  pass(HOUR_MS)
  for (const event of [due, dueAfterTheRestore])
    await events.update(event, { deleteAt: hoursLater(9_000), settings: { keepDays: 365 } })
  await sweep()
  pass(10 * HOUR_MS)
  await restore()
  restart()
  const inThreeDays = new Date(now().getTime() + NOTICE_MS)
  await sweep()
  for (const { _id } of [due, dueAfterTheRestore]) {
    expect(await deleteAtOf(_id)).toEqual(inThreeDays)
    const { outbox } = await model.findById(_id).lean().orFail()
    expect(outbox.at(-1)).toMatchObject({
      type: 'event.changed.v1',
      data: { deleteAt: inThreeDays.toISOString() },
    })
  }
  expect(await deleteAtOf(dueLater._id)).toEqual(hoursLater(200))
  pass(NOTICE_MS)
  await sweep()
  expect(await deleteAtOf(due._id)).toBeUndefined()
})

test('When a backup is restored whose events were postponed before it, then they get three days again', async () => {
  const { events, sweep, restart, pass, now, create, deleteAtOf, backUp } = open()
  await sweep()
  const event = await create(hoursLater(30))
  pass(12 * HOUR_MS)
  restart()
  await sweep()
  const restore = await backUp()
  await events.update((await events.find(event._id)) ?? event, {
    deleteAt: hoursLater(9_000),
    settings: { keepDays: 365 },
  })
  pass(NOTICE_MS + HOUR_MS)
  await restore()
  restart()
  await sweep()
  expect(await deleteAtOf(event._id)).toEqual(new Date(now().getTime() + NOTICE_MS))
})

test('When a backup is restored within ten minutes, then what it would delete is kept for three days', async () => {
  const { sweep, pass, now, create, deleteAtOf, backUp } = open()
  const { _id } = await create(hoursLater(0.05))
  await sweep()
  const restore = await backUp()
  pass(5 * 60_000)
  await restore()
  await sweep()
  expect(await deleteAtOf(_id)).toEqual(new Date(now().getTime() + NOTICE_MS))
})

test('When the service is stopped every night, then the deletion of an event is postponed once', async () => {
  const { sweep, restart, pass, now, create, deleteAtOf } = open()
  await sweep()
  const { _id } = await create(hoursLater(30))
  pass(12 * HOUR_MS)
  restart()
  const inThreeDays = new Date(now().getTime() + NOTICE_MS)
  for (const _night of [1, 2, 3]) {
    await sweep()
    expect(await deleteAtOf(_id)).toEqual(inThreeDays)
    pass(24 * HOUR_MS)
    restart()
  }
  await sweep()
  expect(await deleteAtOf(_id)).toBeUndefined()
})

test.each([
  ['restarts within minutes', 5 * 60_000, true],
  ['runs without its database for hours', 5 * HOUR_MS, false],
])('When the service %s, then events are deleted as before', async (_, stopMs, isRestarted) => {
  const { sweep, restart, pass, create, deleteAtOf } = open()
  await sweep()
  const { _id } = await create(hoursLater(0.05))
  pass(stopMs)
  if (isRestarted) restart()
  await sweep()
  expect(await deleteAtOf(_id)).toBeUndefined()
})

test('When the deletion of an event cannot be postponed, then it is kept until that is done, and others are deleted', async () => {
  const { events, sweep, restart, pass, now, create, deleteAtOf } = open()
  await sweep()
  const [kept, other] = [await create(hoursLater(1)), await create(hoursLater(1))]
  pass(2 * HOUR_MS)
  restart()
  const { update } = events
  events.update = (event, ...change) =>
    event._id === kept._id ? Promise.resolve(undefined) : update(event, ...change)
  await expect(sweep()).rejects.toThrow('not postponed')
  expect(await deleteAtOf(other._id)).toEqual(new Date(now().getTime() + NOTICE_MS))
  pass(NOTICE_MS)
  await expect(sweep()).rejects.toThrow('not postponed')
  expect(await deleteAtOf(other._id)).toBeUndefined()
  expect(await deleteAtOf(kept._id)).toEqual(hoursLater(1))
  events.update = update
  await sweep()
  expect(await deleteAtOf(kept._id)).toEqual(new Date(now().getTime() + NOTICE_MS))
})
