import { expect, test } from '@jest/globals'
import { conflict, unavailable } from './errors.ts'
import { isUnavailable } from './http/error-response.ts'

const failure = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => undefined,
    (error: unknown) => error,
  )
/** How a request fails that was aborted, with this reason if there is one. */
const failureOfAborted = (reason?: DOMException): Promise<unknown> =>
  failure(() => fetch('http://127.0.0.1:10', { signal: AbortSignal.abort(reason) }))
const restError = (statusCode: number) =>
  Object.assign(new Error('Failed'), { name: 'RestError', statusCode })

test.each<[string, () => unknown]>([
  ['a refused connection', () => failure(() => fetch('http://127.0.0.1:10'))],
  ['a name that cannot be resolved', () => failure(() => fetch('http://storage.invalid'))],
  ['a time limit', () => failureOfAborted(new DOMException('Too late', 'TimeoutError'))],
  ['a shutdown', () => failureOfAborted()],
  ['a storage account that is busy', () => restError(503)],
  ['an outage that the code has named', () => unavailable('Busy')],
  ['an error with such a cause', () => new Error('Failed', { cause: restError(500) })],
])('%s is an outage', async (_, fail) => {
  expect(isUnavailable(await fail())).toBe(true)
})

test.each<[string, unknown]>([
  ['a bug', new TypeError('x is undefined')],
  ['a blob that is missing', restError(404)],
  ['a conflict', conflict('Changed')],
  ['nothing', undefined],
])('%s is none', (_, error) => {
  expect(isUnavailable(error)).toBe(false)
})
