import { expect, test } from '@jest/globals'
import { sortEvents, today } from './my-events.tsx'

const event = (startDate: string, endDate: string) => ({ startDate, endDate })
const longPast = event('2027-01-01', '2027-01-02')
const justPast = event('2027-06-10', '2027-06-11')
const active = event('2027-06-01', '2027-06-30')
const lastDay = event('2027-06-10', '2027-06-12')
const firstDay = event('2027-06-12', '2027-06-14')
const upcoming = event('2027-06-13', '2027-06-13')
const later = event('2028-02-01', '2028-02-02')

test('When events are sorted, then active ones come first, then upcoming ones, then past ones', () => {
  expect(sortEvents([later, longPast, upcoming, lastDay, justPast, firstDay, active], '2027-06-12')).toEqual([
    active,
    lastDay,
    firstDay,
    upcoming,
    later,
    justPast,
    longPast,
  ])
})

test('When it is late in the evening, then today is the day in the local time zone', () => {
  expect(today(new Date(2027, 5, 2, 23, 59))).toBe('2027-06-02')
})
