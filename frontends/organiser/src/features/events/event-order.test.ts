import { expect, test } from '@jest/globals'
import { inOrder, today } from './event-order.ts'

const event = (startDate: string, endDate: string) => ({ startDate, endDate })
const longPast = event('2027-01-01', '2027-01-02')
const justPast = event('2027-06-10', '2027-06-11')
const running = event('2027-06-01', '2027-06-30')
const lastDay = event('2027-06-10', '2027-06-12')
const firstDay = event('2027-06-12', '2027-06-14')
const soon = event('2027-06-13', '2027-06-13')
const later = event('2028-02-01', '2028-02-02')

test('When some events run, some are to come and some are over, then they stand in this order', () => {
  expect(inOrder([later, longPast, soon, lastDay, justPast, firstDay, running], '2027-06-12')).toEqual([
    running,
    lastDay,
    firstDay,
    soon,
    later,
    justPast,
    longPast,
  ])
})

test('When it is late in the evening here, then it is still the day that clocks here show', () => {
  expect(today(new Date(2027, 5, 2, 23, 59))).toBe('2027-06-02')
})
