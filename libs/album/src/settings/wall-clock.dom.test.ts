import { expect, test } from '@jest/globals'
import { addDays, fromWallClock, listTimeZones, toWallClock } from './wall-clock.ts'

test.each([
  ['2027-07-14T22:00:00.000Z', 'Europe/Berlin', '2027-07-15T00:00'],
  ['2027-01-14T23:00:00.000Z', 'Europe/Berlin', '2027-01-15T00:00'],
  ['2027-07-15T07:00:00.000Z', 'America/Los_Angeles', '2027-07-15T00:00'],
  ['2027-07-14T10:00:00.000Z', 'Pacific/Kiritimati', '2027-07-15T00:00'],
  ['2027-07-15T18:15:00.000Z', 'Asia/Kathmandu', '2027-07-16T00:00'],
  // The morning after clocks went forward, and the one after they went back.
  ['2027-03-28T01:30:00.000Z', 'Europe/Berlin', '2027-03-28T03:30'],
  ['2027-10-31T06:00:00.000Z', 'Europe/Berlin', '2027-10-31T07:00'],
])(
  'When %s is shown in %s, then it is %s, and the same instant when it is read',
  (instant, zone, wallClock) => {
    expect(toWallClock(instant, zone)).toBe(wallClock)
    expect(fromWallClock(wallClock, zone)).toBe(instant)
  },
)

test('When a time does not exist because clocks go forward, then it is an hour later or earlier', () => {
  expect(fromWallClock('2027-03-28T02:30', 'Europe/Berlin')).toMatch(/^2027-03-28T0[01]:30/)
})

test('When a field is empty or incomplete, then it is no instant', () => {
  expect(fromWallClock('', 'UTC')).toBeUndefined()
  expect(fromWallClock('soon', 'UTC')).toBeUndefined()
})

test('When time zones are listed, then UTC and the given ones are among them, once', () => {
  const zones = listTimeZones('Europe/Berlin', undefined)
  for (const zone of ['UTC', 'Europe/Berlin']) expect(zones.filter((each) => each === zone)).toHaveLength(1)
})

test('When days are added, then months and leap years are counted', () => {
  expect(addDays('2028-02-27', 3)).toBe('2028-03-01')
  expect(addDays('2027-12-31', 1)).toBe('2028-01-01')
})
