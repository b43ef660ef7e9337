import { createLogger } from '@confetti/service-kit'
import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { expect, test } from '@jest/globals'
import { createHighWaterMark } from '../storage/high-water-mark-store.ts'
import type { Deps } from '../deps.ts'
import { createRestoredDatabase } from './restored-database.ts'

const MINUTE_MS = 60_000
const startedAt = Date.parse('2026-06-12T20:00:00Z')

const open = () => {
  let time = startedAt
  let container: Date | undefined
  let isFailing = false
  let held: Promise<undefined> | undefined
  const highWaterMark = createHighWaterMark(createMemoryDatabase().connect())
  const gauge: boolean[] = []
  const restoredDatabase = createRestoredDatabase({
    highWaterMark,
    blobs: {
      readHighWaterMark: async () => {
        const [found, waiting] = [container, held]
        held = undefined
        await waiting
        return found
      },
      replaceHighWaterMark: (before: Date | undefined, at: Date) => {
        if (isFailing) return Promise.reject(new Error('no connection'))
        const isCurrent = before?.getTime() === container?.getTime()
        if (isCurrent) container = at
        return Promise.resolve(isCurrent)
      },
    },
    clock: () => new Date(time),
    metrics: { databaseRestored: (isRestored: boolean) => gauge.push(isRestored) },
    logger: createLogger('test', 'silent'),
  } as unknown as Deps)
  return {
    ...restoredDatabase,
    highWaterMark,
    gauge,
    pass: (ms: number) => {
      time += ms
    },
    setContainer: (at: Date | undefined) => {
      container = at
    },
    /** Lets the next answer to a question for the container's time wait for a call. */
    holdContainer: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      held = promise
      return () => resolve(undefined)
    },
    setFailing: (value: boolean) => {
      isFailing = value
    },
    marks: async () => [(await highWaterMark.read())?.at.getTime(), container?.getTime()],
  }
}

test('When time passes, then it is written to database and container, and a clock that is slow changes nothing', async () => {
  const { advance, isRestored, pass, marks } = open()
  expect(await isRestored()).toBe(false)
  await advance()
  expect(await marks()).toEqual([startedAt, startedAt])
  pass(MINUTE_MS)
  await advance()
  pass(-10 * MINUTE_MS)
  await advance()
  expect(await marks()).toEqual([startedAt + MINUTE_MS, startedAt + MINUTE_MS])
  expect(await isRestored()).toBe(false)
})

const HOUR_MS = 60 * MINUTE_MS
const at = (ms: number | undefined): Date | undefined =>
  ms === undefined ? undefined : new Date(startedAt + ms)

// The table of decision 051. The times of database and container, and the container's when the database's was written.
test.each([
  ['neither has a time: the first start', undefined, undefined, undefined, false],
  ['both have the same', 0, 0, -MINUTE_MS, false],
  ['the database is a little older, as after a failover', -MINUTE_MS, 0, -2 * MINUTE_MS, false],
  ['the database is older: it was restored', -HOUR_MS, 0, -HOUR_MS - MINUTE_MS, true],
  ['the database has none: it was restored from before its first', undefined, 0, undefined, true],
  ['the container is older: it was restored, or is another one', 0, -HOUR_MS, -MINUTE_MS, true],
  ['the container has none: it is new, or another one', 0, undefined, -MINUTE_MS, true],
  ['the first write has not reached the container', 0, undefined, undefined, false],
  ['the first write after a pause has not reached the container', 0, -HOUR_MS, -HOUR_MS, false],
])('When %s, then that counts as a restore or not, and as long neither is written', async (...row) => {
  const [, database, container, containerAt, isRestore] = row
  const { advance, isRestored, pass, highWaterMark, marks, gauge, setContainer } = open()
  const found = at(database)
  if (found) await highWaterMark.replace(undefined, { at: found, containerAt: at(containerAt) })
  setContainer(at(container))
  const before = await marks()
  expect(await isRestored()).toBe(isRestore)
  pass(MINUTE_MS)
  await advance()
  expect(gauge).toEqual([isRestore])
  const now = startedAt + MINUTE_MS
  expect(await marks()).toEqual(isRestore ? before : [now, now])
})

test('When blob storage fails while the time is written, then that is no restore, however long it lasts', async () => {
  const { advance, isRestored, pass, setFailing, marks } = open()
  await advance()
  pass(HOUR_MS)
  setFailing(true)
  for (let minutes = 0; minutes < 10; minutes += 1) {
    await expect(advance()).rejects.toThrow('no connection')
    pass(MINUTE_MS)
    expect(await isRestored()).toBe(false)
  }
  setFailing(false)
  await advance()
  const now = startedAt + HOUR_MS + 10 * MINUTE_MS
  expect(await marks()).toEqual([now, now])
})

test('When a replica stands still between reading and writing, then what another one has written is no restore', async () => {
  const { advance, isRestored, pass, marks, holdContainer } = open()
  const letRead = holdContainer()
  const slow = advance()
  await advance()
  pass(HOUR_MS)
  letRead()
  await slow
  expect(await isRestored()).toBe(false)
  await advance()
  expect(await marks()).toEqual([startedAt + HOUR_MS, startedAt + HOUR_MS])
})

test('When the database is restored while the time is written, then it keeps the time of its backup', async () => {
  const { highWaterMark } = open()
  const [backup, latest] = [new Date(startedAt), new Date(startedAt + MINUTE_MS)]
  expect(await highWaterMark.replace(undefined, { at: backup })).toBe(true)
  expect(await highWaterMark.replace(latest, { at: new Date(startedAt + 2 * MINUTE_MS) })).toBe(false)
  expect(await highWaterMark.replace(undefined, { at: latest })).toBe(false)
  expect(await highWaterMark.read()).toEqual({ at: backup })
})
