import { expect, jest, test } from '@jest/globals'
import { changeUntilWritten } from './mongo.ts'
import { unavailable } from './errors.ts'

const onContention = () => unavailable('Busy.')

test('When others have changed the document, then the change is tried again', async () => {
  const results = [undefined, undefined, 'written']
  const attempt = jest.fn(() => Promise.resolve(results.shift()))
  await expect(changeUntilWritten(attempt, onContention)).resolves.toBe('written')
  expect(attempt).toHaveBeenCalledTimes(3)
})

test('When others change the document all the time, then the caller gets an error', async () => {
  const attempt = jest.fn(() => Promise.resolve(undefined))
  await expect(changeUntilWritten(attempt, onContention)).rejects.toMatchObject({ status: 503 })
  expect(attempt).toHaveBeenCalledTimes(40)
})

test('When an attempt fails, then it is not repeated', async () => {
  const attempt = jest.fn(() => Promise.reject(new Error('No database.')))
  await expect(changeUntilWritten(attempt, onContention)).rejects.toThrow('No database.')
  expect(attempt).toHaveBeenCalledTimes(1)
})
