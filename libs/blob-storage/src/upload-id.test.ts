import { expect, test } from '@jest/globals'
import {
  currentPeriod,
  earlierPeriods,
  mayBelongTo,
  newUploadId,
  prefixOf,
  readTime,
  tagOf,
} from './upload-id.ts'

const event = 'a'.repeat(24)
const other = 'b'.repeat(24)
const now = new Date('2026-06-12T20:00:00Z')

test('When ids are made for an event, then they are distinct, start with its prefix, and have the time', () => {
  const ids = Array.from({ length: 1_000 }, () => newUploadId(event, now))
  expect(new Set(ids).size).toBe(1_000)
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{24}$/)
    expect(id.startsWith(prefixOf(tagOf(event)))).toBe(true)
    expect(id.startsWith(currentPeriod(event, now).prefix)).toBe(true)
    expect(readTime(id)).toBe(now.getTime())
    expect(mayBelongTo(event, id)).toBe(true)
    expect(mayBelongTo(other, id)).toBe(false)
  }
})

test('When ids are made one after the other for an event, then they are in this order', () => {
  const ids = Array.from({ length: 3_000 }, (_, index) => newUploadId(event, new Date(now.getTime() + index)))
  expect(ids.toSorted()).toEqual(ids)
})

test('When an earlier version has made an id, then its event and time are recognised, and no new id is taken for one', () => {
  const seconds = (now.getTime() / 1_000).toString(16)
  const id = `${seconds}${tagOf(event)}0123456789`
  expect([readTime(id), mayBelongTo(event, id), mayBelongTo(other, id)]).toEqual([now.getTime(), true, false])
  for (let number = 0; number < 1_000; number += 1) expect(newUploadId(String(number), now) >= '8').toBe(true)
})

test('When periods are listed between two times, then the ids of earlier versions from all of that time are in them', () => {
  const DAY_MS = 86_400_000
  const [from, to] = [now.getTime() - 8 * DAY_MS, now.getTime()]
  const periods = earlierPeriods(from, to)
  expect(periods[0]?.startsAt).toBeLessThanOrEqual(from)
  expect(periods.at(-1)?.endsAt).toBeGreaterThan(to)
  for (let time = from; time <= to; time += DAY_MS / 7) {
    const id = Math.floor(time / 1_000).toString(16)
    expect(periods.filter(({ prefix }) => id.startsWith(prefix))).toMatchObject([
      { startsAt: expect.any(Number), endsAt: expect.any(Number) },
    ])
  }
})
