import { expect, test } from '@jest/globals'
import { endOfDayAfter, getCalendarDay, getCalendarDays, getPhase } from './schedule.ts'

test('When it is evening in UTC, then it is tomorrow in Auckland', () => {
  const now = new Date('2026-06-12T20:00:00Z')
  expect(getCalendarDay('UTC', now)).toBe('2026-06-12')
  expect(getCalendarDay('Pacific/Auckland', now)).toBe('2026-06-13')
})

test('When an event ends, then uploads close at the end of the 30th day after it, in its time zone', () => {
  expect(endOfDayAfter('2026-06-14', 30, 'UTC').toISOString()).toBe('2026-07-15T00:00:00.000Z')
  expect(endOfDayAfter('2026-06-14', 30, 'Europe/Berlin').toISOString()).toBe('2026-07-14T22:00:00.000Z')
})

test('When the clocks change within the grace days, then the last day is still a whole day', () => {
  expect(endOfDayAfter('2026-10-20', 7, 'Europe/Berlin').toISOString()).toBe('2026-10-27T23:00:00.000Z')
})

test('When there are no grace days, then uploads close with the last day of the event', () => {
  expect(endOfDayAfter('2026-02-28', 0, 'UTC').toISOString()).toBe('2026-03-01T00:00:00.000Z')
})

test('When it is noon in UTC, then it is the same day or another one elsewhere', () => {
  expect(getCalendarDays(new Date('2026-06-12T11:30:00Z'))).toEqual({
    earliest: '2026-06-11',
    latest: '2026-06-13',
  })
})

test('When an event takes one day, then it is upcoming before, active on it and past after it', () => {
  const event = { startDate: '2026-06-12', endDate: '2026-06-12' }
  expect(['2026-06-11', '2026-06-12', '2026-06-13'].map((today) => getPhase(event, today))).toEqual([
    'upcoming',
    'active',
    'past',
  ])
})
