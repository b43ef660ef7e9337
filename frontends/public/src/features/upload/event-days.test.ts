import { expect, test } from '@jest/globals'
import { dayOf, eventDays } from './event-days.ts'

test.each([
  ['2027-06-12', '2027-06-14', '12 – 14 June 2027'],
  ['2027-06-12', '2027-06-12', '12 June 2027'],
  ['2027-06-30', '2027-07-02', '30 June – 2 July 2027'],
  ['2026-12-31', '2027-01-01', '31 December 2026 – 1 January 2027'],
])('When an event lasts from %s to %s, then its days read %s', (start, end, text) => {
  expect(eventDays(start, end)).toBe(text)
})

test('When an instant falls on a day, then that is the day in UTC', () => {
  expect(dayOf('2027-07-15T00:00:00.000Z')).toBe('15 July 2027')
})
