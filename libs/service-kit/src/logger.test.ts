import { expect, test } from '@jest/globals'
import mongoose from 'mongoose'
import { createLogger } from './logger.ts'

const logError = (err: unknown): Record<string, unknown> => {
  const lines: string[] = []
  createLogger('test', 'info', { write: (line) => void lines.push(line) }).error({ err }, 'failed')
  return (JSON.parse(lines.join('')) as { err: Record<string, unknown> }).err
}

test('When a database has refused documents, then the error is logged without them', () => {
  const op = { photoCredit: 'Anna', originalName: 'Anna.jpg' }
  const refused = { code: 14_031, message: 'out of disk space', writeErrors: [{ index: 0, op }] }
  const error = new mongoose.mongo.MongoBulkWriteError(refused as never, { insertedIds: { 0: op } } as never)
  const logged = logError(new Error('not stored', { cause: error }))
  expect(logged).toMatchObject({ type: 'Error', message: 'not stored: out of disk space' })
  for (const each of [logged, logError(error), logError(new AggregateError([error], 'some failed'))])
    expect(JSON.stringify(each)).not.toContain('Anna')
})

test('An error is logged with what says why it happened', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', statusCode: 503 })
  const why = { message: 'connect ECONNREFUSED', code: 'ECONNREFUSED', statusCode: 503 }
  expect(logError(refused)).toEqual({
    type: 'Error',
    stack: expect.stringContaining('logger.test.ts'),
    ...why,
  })
  expect(logError(new AggregateError([refused], 'all failed'))).toMatchObject({
    type: 'AggregateError',
    message: 'all failed',
    aggregateErrors: [why],
  })
  expect(logError(new Error('not sent', { cause: refused }))).toMatchObject({
    message: 'not sent: connect ECONNREFUSED',
    stack: expect.stringContaining('caused by: Error: connect ECONNREFUSED'),
  })
})
