import { expect, test } from '@jest/globals'
import { splitTime } from './gallery-messages.tsx'

test('When time is left, then it is split into days, hours, minutes and seconds', () => {
  expect(splitTime(((2 * 24 + 3) * 60 + 4) * 60_000 + 5_000)).toEqual({
    days: 2,
    hours: 3,
    minutes: 4,
    seconds: 5,
  })
})

test('When part of a second is left, then it counts as one, and never as less than nothing', () => {
  expect(splitTime(1)).toMatchObject({ seconds: 1 })
  expect(splitTime(-5_000)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 })
})
