import { describe, expect, test } from '@jest/globals'
import { ApiError, toApiError, getErrorMessage, parseRetryAfterMs } from './errors.ts'

describe('Retry-After', () => {
  const now = Date.parse('2027-06-12T20:00:00Z')

  test.each([
    ['seconds', '30', 30_000],
    ['zero', '0', 0],
    ['a date', 'Sat, 12 Jun 2027 20:01:30 GMT', 90_000],
    ['a date in the past', 'Sat, 12 Jun 2027 19:00:00 GMT', 0],
    ['invalid', 'soon', undefined],
    ['missing', null, undefined],
  ])('When Retry-After is %s, then it is parsed', (_, header, waitMs) => {
    expect(parseRetryAfterMs(header, now)).toBe(waitMs)
  })

  test('When an error response has Retry-After, then the error has the wait', () => {
    const error = toApiError(429, JSON.stringify({ message: 'Please wait.', code: 'busy' }), '7')
    expect(error).toMatchObject({ retryAfterMs: 7_000, isRetryable: true, message: 'Please wait.' })
  })
})

describe('Error messages', () => {
  test.each([
    ['the server has a message', JSON.stringify({ message: 'The file is empty.' }), 'The file is empty.'],
    ['the message is no text', JSON.stringify({ message: 42 }), 'Something went wrong.'],
    ['the body is null', 'null', 'Something went wrong.'],
    ['the body is HTML', '<html>', 'Something went wrong.'],
    ['the body is empty', '', 'Something went wrong.'],
  ])('When %s, then the message can be shown to the user', (_, text, message) => {
    expect(toApiError(400, text, null).message).toBe(message)
  })

  test('When the server rejects fields, then the error has the first message about each', () => {
    const details = [
      { field: 'name', message: 'The event name is missing.' },
      { field: 'name', message: 'Another problem.' },
      { field: 'endDate', message: 'The end date is before the start date.' },
    ]
    expect(
      toApiError(400, JSON.stringify({ message: 'x', code: 'invalid', details }), null).fieldErrors,
    ).toEqual({
      name: 'The event name is missing.',
      endDate: 'The end date is before the start date.',
    })
    expect(toApiError(502, '<html>', null).fieldErrors).toEqual({})
  })

  test('When the error has no message, then the fallback is used', () => {
    expect(getErrorMessage('a string')).toBe('Something went wrong.')
    expect(getErrorMessage(new Error(''), 'Login failed')).toBe('Login failed')
    expect(getErrorMessage(new Error('Disk full'), 'Login failed')).toBe('Disk full')
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
  ])('When the status is %i, then it is retryable: %s', (status, isRetryable) => {
    expect(new ApiError(status, { message: 'x', code: 'x' }).isRetryable).toBe(isRetryable)
  })
})
