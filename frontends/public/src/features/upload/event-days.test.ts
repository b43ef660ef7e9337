import { expect, test } from '@jest/globals'
import { eventDays, lastDayBefore } from './event-days.ts'

test.each([
  ['2027-06-12', '2027-06-14', '12 – 14 June 2027'],
  ['2027-06-12', '2027-06-12', '12 June 2027'],
  ['2027-06-30', '2027-07-02', '30 June – 2 July 2027'],
  ['2026-12-31', '2027-01-01', '31 December 2026 – 1 January 2027'],
])('When an event lasts from %s to %s, then its days read %s', (start, end, text) => {
  expect(eventDays(start, end)).toBe(text)
})

test('When something closes at midnight, then the day that ends then was its last', () => {
  expect(lastDayBefore('2027-07-15T00:00:00.000Z')).toBe('14 July 2027')
  expect(lastDayBefore('2027-07-14T22:00:00.000Z')).toBe('14 July 2027')
})
