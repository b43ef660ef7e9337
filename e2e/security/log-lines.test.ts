import { expect, test } from '@jest/globals'
import { findErrors } from './log-lines.ts'

test('When a service logs errors or crashes, then they are found, and other lines are not', () => {
  const error = '{"level":"error","service":"uploads","msg":"failed to store file"}'
  const fatal = '{"level":"fatal","service":"uploads","msg":"failed to start"}'
  const crash = "TypeError: Cannot read properties of undefined (reading 'a')"
  expect(
    findErrors([
      '{"level":"info","service":"uploads","msg":"listening"}',
      error,
      '{"level":"warn","service":"uploads","msg":"request failed"}',
      '(node:1) DeprecationWarning: punycode',
      fatal,
      crash,
    ]),
  ).toEqual([error, fatal, crash])
})
