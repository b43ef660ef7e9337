import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { createEventTotals } from './event-totals.ts'

const eventId = 'e'.repeat(24)
const photo = { files: 1, bytes: 100 }

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }))
afterEach(() => void jest.useRealTimers())

/** A database, and what the uploads in it come to. */
const newDatabase = () => {
  const database = createMemoryDatabase()
  const stored = { files: 0, bytes: 0 }
  const writes: string[] = []
  let counts = 0
  let isBroken = false
  let isErased = false
  let saving = Promise.resolve()
  const openReplica = () => {
    const connection = database.connect((label) => {
      if (isBroken) return Promise.reject(new Error('The database is gone'))
      if (label !== 'eventtotals findOneAndUpdate') return Promise.resolve()
      writes.push(label)
      return saving
    })
    const count = () => {
      counts += 1
      return Promise.resolve({ ...stored })
    }
    const options = { count, isErased: () => Promise.resolve(isErased), clock: () => new Date() }
    return createEventTotals(connection, options)
  }
  return {
    stored,
    writes,
    openReplica,
    countCounts: () => counts,
    setBroken: (broken: boolean) => (isBroken = broken),
    erase: () => (isErased = true),
    /** Saving takes until the result is called. */
    holdSaving: () => {
      let release = (): void => undefined
      saving = new Promise((resolve) => {
        release = resolve
      })
      return () => release()
    },
  }
}

const passSecond = async () => {
  await jest.advanceTimersByTimeAsync(1_000)
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('When replicas store files, then the event is counted once, and each replica saves its files together', async () => {
  const { stored, writes, openReplica, countCounts } = newDatabase()
  const [one, other] = [await openReplica(), await openReplica()]
  Object.assign(stored, { files: 7, bytes: 700 })
  expect(await one.read(eventId)).toEqual({ files: 7, bytes: 700 })
  writes.length = 0
  for (let sent = 0; sent < 50; sent += 1) one.add(eventId, photo)
  one.add(eventId, { files: -1, bytes: -100 })
  other.add(eventId, photo)
  await passSecond()
  expect(writes).toHaveLength(2)
  expect(await other.read(eventId)).toMatchObject({ files: 57, bytes: 5_700 })
  // What this process has added counts at once.
  other.add(eventId, photo)
  expect(await other.read(eventId)).toMatchObject({ files: 58, bytes: 5_800 })
  expect(countCounts()).toBe(1)
})

test('When the total is read while what was added is being saved, then it has that, once', async () => {
  const { stored, openReplica, holdSaving } = newDatabase()
  const totals = await openReplica()
  await totals.read(eventId)
  totals.add(eventId, photo)
  const release = holdSaving()
  const saved = totals.close()
  const read = totals.read(eventId)
  Object.assign(stored, photo)
  const recounted = totals.recount(eventId)
  await passSecond()
  release()
  expect(await read).toMatchObject(photo)
  await Promise.all([saved, recounted])
  expect(await totals.read(eventId)).toMatchObject(photo)
})

test('When a replica cannot save what it has added, then the uploads are counted', async () => {
  const { stored, openReplica, setBroken, countCounts } = newDatabase()
  const totals = await openReplica()
  await totals.read(eventId)
  totals.add(eventId, photo)
  Object.assign(stored, photo)
  setBroken(true)
  await passSecond()
  setBroken(false)
  expect(await totals.read(eventId)).toEqual(photo)
  expect(countCounts()).toBe(2)
})

test('When a replica dies before it has saved a file, then the daily count finds it', async () => {
  const { stored, openReplica } = newDatabase()
  const [dying, other] = [await openReplica(), await openReplica()]
  await other.read(eventId)
  dying.add(eventId, photo)
  Object.assign(stored, photo)
  const past = new Date(Date.now() - 1)
  const soon = new Date(Date.now() + 1)
  expect([await other.listOld(past, 10), await other.listOld(soon, 10)]).toEqual([[], [eventId]])
  await other.recount(eventId)
  expect(await other.read(eventId)).toMatchObject(photo)
})

test('When more is deleted than a replica that died has counted, then the uploads are counted', async () => {
  const { stored, openReplica } = newDatabase()
  const [one, other] = [await openReplica(), await openReplica()]
  expect(await one.read(eventId)).toEqual({ files: 0, bytes: 0 })
  Object.assign(stored, { files: 2, bytes: 200 })
  other.add(eventId, { files: -1, bytes: -100 })
  await passSecond()
  expect(await other.read(eventId)).toEqual({ files: 2, bytes: 200 })
})

test('When an event is erased or was never counted, then nothing is kept of what it stores', async () => {
  const { openReplica, countCounts } = newDatabase()
  const totals = await openReplica()
  await totals.read(eventId)
  totals.add(eventId, photo)
  await totals.remove(eventId)
  totals.add(eventId, photo)
  totals.add('f'.repeat(24), photo)
  await totals.close()
  await totals.recount(eventId)
  expect(await totals.listOld(new Date(Date.now() + 1), 10)).toEqual([])
  expect(countCounts()).toBe(2)
})

test('When an event is counted while it is erased, then no total of it is left, nor one of an earlier version', async () => {
  const { openReplica, erase } = newDatabase()
  const totals = await openReplica()
  await totals.read('b'.repeat(24))
  erase()
  await totals.read(eventId)
  const later = new Date(Date.now() + 1_000)
  expect(await totals.listOld(later, 10)).toEqual(['b'.repeat(24)])
  await totals.recount('b'.repeat(24))
  expect(await totals.listOld(later, 10)).toEqual([])
})
