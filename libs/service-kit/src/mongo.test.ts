import { expect, test } from '@jest/globals'
import mongoose from 'mongoose'
import { toAppError } from './http/error-response.ts'

const { MongoBulkWriteError, MongoServerError } = mongoose.mongo

const description = (code: number) => ({ ok: 0, code, message: `a server says ${code}` })

test.each([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436, 14_031])(
  'A server of MongoDB that answers with %i is busy, no fault of ours',
  (code) => {
    const { kind, retryAfterSeconds } = toAppError(new MongoServerError(description(code)))
    expect(kind).toBe('unavailable')
    expect(retryAfterSeconds).toBeGreaterThan(0)
  },
)

test('A bulk write that a primary could not finish is asked for again', () => {
  const error = new MongoBulkWriteError(description(189), {} as never)
  expect(toAppError(error).kind).toBe('unavailable')
})

test.each([2, 11_000, 13])('An answer %i of MongoDB is our own fault', (code) => {
  expect(toAppError(new MongoServerError(description(code))).kind).toBe('internal')
})
