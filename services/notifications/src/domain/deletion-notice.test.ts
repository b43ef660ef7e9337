import { expect, test } from '@jest/globals'
import { daysLeft, firstNoticeAt, nextNoticeAt } from './deletion-notice.ts'

const deleteAt = new Date('2026-12-15T00:00:00Z')

test('The notices of a deletion are due 14 and 3 days before it', () => {
  expect(firstNoticeAt(deleteAt)).toEqual(new Date('2026-12-01T00:00:00Z'))
  expect(nextNoticeAt(deleteAt, new Date('2026-12-01T00:00:00Z'))).toEqual(new Date('2026-12-12T00:00:00Z'))
  expect(nextNoticeAt(deleteAt, new Date('2026-12-12T00:00:00Z'))).toBeUndefined()
})

test('When less than 14 days are left, then the next notice is the one of 3 days', () => {
  expect(nextNoticeAt(deleteAt, new Date('2026-12-05T00:00:00Z'))).toEqual(new Date('2026-12-12T00:00:00Z'))
})

test('Days are counted as people do', () => {
  expect(daysLeft(deleteAt, new Date('2026-12-01T00:05:00Z'))).toBe(14)
  expect(daysLeft(deleteAt, new Date('2026-12-12T00:00:30Z'))).toBe(3)
  expect(daysLeft(deleteAt, new Date('2026-12-14T23:00:00Z'))).toBe(1)
})
