import { createLogger } from '@confetti/service-kit'
import { createMemoryDatabase } from '@confetti/test-kit/memory-database'
import { expect, test } from '@jest/globals'
import { createHighWaterMark } from '../storage/high-water-mark-store.ts'
import { createRestoredDatabase } from './restored-database.ts'

const MINUTE_MS = 60_000
const startedAt = Date.parse('2026-06-12T20:00:00Z')

const open = () => {
  let time = startedAt
  let container: Date | undefined
  const highWaterMark = createHighWaterMark(createMemoryDatabase().connect())
  const gauge: boolean[] = []
  const restoredDatabase = createRestoredDatabase({
    highWaterMark,
    blobs: {
      readHighWaterMark: () => Promise.resolve(container),
      writeHighWaterMark: (at: Date) => Promise.resolve(void (container = at)),
    } as never,
    clock: () => new Date(time),
    metrics: { databaseBehind: (isBehind: boolean) => gauge.push(isBehind) } as never,
    logger: createLogger('test', 'silent'),
  })
  return {
    ...restoredDatabase,
    highWaterMark,
    gauge,
    pass: (ms: number) => {
      time += ms
    },
    setContainer: (at: Date) => {
      container = at
    },
    marks: async () => [(await highWaterMark.read())?.getTime(), container?.getTime()],
  }
}

test('When time passes, then it is written to database and container, and a clock that is slow changes nothing', async () => {
  const { advance, isBehind, pass, marks } = open()
  expect(await isBehind()).toBe(false)
  await advance()
  expect(await marks()).toEqual([startedAt, startedAt])
  pass(MINUTE_MS)
  await advance()
  pass(-10 * MINUTE_MS)
  await advance()
  expect(await marks()).toEqual([startedAt + MINUTE_MS, startedAt + MINUTE_MS])
  expect(await isBehind()).toBe(false)
})

test('When the database is more than five minutes behind the container, then neither time is written', async () => {
  const { advance, isBehind, pass, highWaterMark, marks, gauge } = open()
  await advance()
  pass(5 * MINUTE_MS + 1)
  await advance()
  const now = new Date(startedAt + 5 * MINUTE_MS + 1)
  await highWaterMark.replace(now, new Date(startedAt))
  const before = await marks()
  expect(await isBehind()).toBe(true)
  pass(MINUTE_MS)
  await advance()
  expect(await marks()).toEqual(before)
  expect(gauge).toEqual([false, false, true])

  await highWaterMark.replace(new Date(startedAt), new Date(startedAt + 1))
  expect(await isBehind()).toBe(false)
})

test('When a database that was restored has no time, then it is behind', async () => {
  const { isBehind, setContainer } = open()
  setContainer(new Date(startedAt))
  expect(await isBehind()).toBe(true)
})

test('When the database is restored while the time is written, then it keeps the time of its backup', async () => {
  const { highWaterMark } = open()
  const [backup, latest] = [new Date(startedAt), new Date(startedAt + MINUTE_MS)]
  expect(await highWaterMark.replace(undefined, backup)).toBe(true)
  expect(await highWaterMark.replace(latest, new Date(startedAt + 2 * MINUTE_MS))).toBe(false)
  expect(await highWaterMark.replace(undefined, latest)).toBe(false)
  expect(await highWaterMark.read()).toEqual(backup)
})
