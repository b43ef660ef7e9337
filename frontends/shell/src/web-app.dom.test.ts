import { expect, test } from '@jest/globals'
import { isExpectedFailure } from './web-app.ts'

test.each([
  ['the browser stores nothing', new DOMException('The operation is insecure.', 'SecurityError')],
  ['Chrome cannot load the script', new TypeError('An unknown error occurred when fetching the script.')],
  ['Safari cannot load the script', new TypeError('Script https://a.example/service-worker.js load failed')],
])('When %s, then the failure is not reported', (_reason, error) => {
  expect(isExpectedFailure(error)).toBe(true)
})

test.each([
  ['in Chrome', new TypeError('ServiceWorker script evaluation failed')],
  ['in Firefox', new TypeError('ServiceWorker script threw an exception during script evaluation.')],
  ['with an error of its own', new ReferenceError('clientsClaim is not defined')],
])('When the script fails %s, then the failure is reported', (_browser, error) => {
  expect(isExpectedFailure(error)).toBe(false)
})
