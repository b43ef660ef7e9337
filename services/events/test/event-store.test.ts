import { testBackends } from '@confetti/test-kit'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'
import type { Accounts } from '../src/accounts/accounts.ts'
import { createChangeEvent } from '../src/change-event.ts'
import type { Deps } from '../src/deps.ts'
import type { StoredEvent } from '../src/event.ts'
import { createEventIndexes, createEventModel } from '../src/storage/event-model.ts'
import { createEventStore } from '../src/storage/event-store.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const now = new Date('2031-06-01T00:00:00Z')
const inOneDay = new Date(now.getTime() + DAY_MS)

let connection: Connection
let store: ReturnType<typeof createEventStore>
let event: StoredEvent
/** The read concerns of the queries for one event by its id. */
let levels: (string | undefined)[] = []

beforeAll(async () => {
  const name = new mongoose.Types.ObjectId().toHexString()
  connection = mongoose.createConnection(`${testBackends().mongo}/${name}`, { monitorCommands: true })
  await connection.asPromise()
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find') levels.push(command.readConcern?.level as string | undefined)
  })
  const model = createEventModel(connection)
  await createEventIndexes(model)
  store = createEventStore(model, { config: {} as never, wakeRelay: () => undefined, clock: () => now })
})
afterAll(async () => {
  await connection.dropDatabase()
  await connection.close()
})
beforeEach(async () => {
  event = await store.create({
    name: 'Garden party',
    description: '',
    startDate: '2031-05-01',
    endDate: '2031-05-01',
    organisers: [],
    organiserInvitations: [],
    recentInvitations: [],
    settings: {},
    uploadsCloseAt: now,
    deleteAt: now,
    createdAt: now,
  })
})

test('When the deletion of an event is postponed after the sweep has listed it, then it is not deleted', async () => {
  expect(await store.listDue(now, 10)).toContain(event._id)
  const postponed = await store.update(event, { deleteAt: inOneDay })
  expect(await store.markDeleted(event._id, now, 'due')).toBe(false)
  expect(await store.find(event._id)).toEqual(postponed)
  expect(await store.markDeleted(event._id, inOneDay, 'due')).toBe(true)
  expect(await store.find(event._id)).toBeUndefined()
})

test('When a change is acknowledged because it is there already, then it was read as what a failover cannot undo', async () => {
  const changeEvent = createChangeEvent({ events: store } as Deps, {} as Accounts)
  levels = []
  expect(await changeEvent(event, () => ({ changes: { name: event.name } }))).toEqual(event)
  expect(await changeEvent(event, () => undefined)).toEqual(event)
  expect(levels).toEqual(['majority', 'majority'])
})
