import { expect, test } from '@jest/globals'
import mongoose from 'mongoose'
import { toAppError } from './http/error-response.ts'

const { MongoBulkWriteError, MongoNetworkError, MongoServerError } = mongoose.mongo

const description = (code: number) => ({ ok: 0, code, message: `server error ${code}` })

test.each([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436, 14_031])(
  'When MongoDB answers with code %i, then the error is `unavailable`',
  (code) => {
    const { kind, retryAfterSeconds } = toAppError(new MongoServerError(description(code)))
    expect(kind).toBe('unavailable')
    expect(retryAfterSeconds).toBeGreaterThan(0)
  },
)

test('When a primary cannot finish a bulk write, then the error is `unavailable`', () => {
  const error = new MongoBulkWriteError(description(189), {} as never)
  expect(toAppError(error).kind).toBe('unavailable')
})

test('When the connection breaks during a bulk write, then the error is `unavailable`', () => {
  const error = new MongoBulkWriteError(new MongoNetworkError('connection closed'), {} as never)
  expect(toAppError(error).kind).toBe('unavailable')
})

test.each([2, 11_000, 13])('When MongoDB answers with code %i, then the error is `internal`', (code) => {
  expect(toAppError(new MongoServerError(description(code))).kind).toBe('internal')
})
