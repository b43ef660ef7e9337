import { describe, expect, test } from '@jest/globals'
import { ApiError, errorFrom, messageOf, retryAfterMsOf } from './errors.ts'

describe('How long a server asks to wait', () => {
  const now = Date.parse('2027-06-12T20:00:00Z')

  test.each([
    ['seconds', '30', 30_000],
    ['no time at all', '0', 0],
    ['a date', 'Sat, 12 Jun 2027 20:01:30 GMT', 90_000],
    ['a date that has passed', 'Sat, 12 Jun 2027 19:00:00 GMT', 0],
    ['nonsense', 'soon', undefined],
    ['nothing', null, undefined],
  ])('When Retry-After is %s, then it is understood', (_, header, waitMs) => {
    expect(retryAfterMsOf(header, now)).toBe(waitMs)
  })

  test('When a failure brings Retry-After, then the error knows it', () => {
    const error = errorFrom(429, JSON.stringify({ message: 'Please wait.', code: 'busy' }), '7')
    expect(error).toMatchObject({ retryAfterMs: 7_000, passing: true, message: 'Please wait.' })
  })
})

describe('What a failure says', () => {
  test.each([
    ['the server has a message', JSON.stringify({ message: 'The file is empty.' }), 'The file is empty.'],
    ['the message is none', JSON.stringify({ message: 42 }), 'Something went wrong.'],
    ['the answer is null', 'null', 'Something went wrong.'],
    ['the answer is a page', '<html>', 'Something went wrong.'],
    ['the answer is empty', '', 'Something went wrong.'],
  ])('When %s, then a person can read it', (_, text, message) => {
    expect(errorFrom(400, text, null).message).toBe(message)
  })

  test('When something other than an error was thrown, then the fallback is said', () => {
    expect(messageOf('a string')).toBe('Something went wrong.')
    expect(messageOf(new Error(''), 'Login failed')).toBe('Login failed')
    expect(messageOf(new Error('Disk full'), 'Login failed')).toBe('Disk full')
  })

  test.each([
    [0, true],
    [400, false],
    [404, false],
    [408, true],
    [413, false],
    [429, true],
    [500, false],
    [502, true],
    [503, true],
    [504, true],
  ])('When the status is %i, then trying later helps: %s', (status, passing) => {
    expect(new ApiError(status, { message: 'x', code: 'x' }).passing).toBe(passing)
  })
})
