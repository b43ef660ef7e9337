import { expect, test } from '@jest/globals'
import {
  createViolationError,
  isSpecific,
  matchesViolation,
  parseViolations,
} from './invariant-violations.ts'

const message = createViolationError([
  { kind: 'lost', what: 'image.jpg of Table 1' },
  { kind: 'assertion', what: 'Error: expect(received).toBe(expected)\n\n- Expected\nReceived: 403' },
]).message

test('When invariants are violated, then the error lists each violation, including those of several lines', () => {
  expect(parseViolations(message)).toEqual([
    expect.stringContaining('lost: image.jpg of Table 1'),
    expect.stringContaining('Received: 403'),
  ])
})

test('When a scenario could not run, then its error lists no violations', () => {
  expect(parseViolations('RabbitMQ did not start:\n- lost: nothing')).toEqual([])
})

test.each([
  { expected: 'lost', matches: true },
  { expected: 'lost: Table 1', matches: true },
  { expected: 'lost: Table 2', matches: false },
  { expected: 'duplicate', matches: false },
  { expected: 'assertion: Received: 403', matches: true },
  { expected: 'assertion: Received: 401', matches: false },
])('When $expected is expected, then whether a violation matches is $matches', ({ expected, matches }) => {
  expect(parseViolations(message).some((violation) => matchesViolation(violation, expected))).toBe(matches)
})

test.each([
  ['stuck', true],
  ['hang: POST /api/uploads', true],
  ['assertion', false],
  ['assertion: the sweep', true],
  ['unhealthy', false],
  ['', false],
])('When a patch expects %p, then whether that is specific is %p', (expected, specific) => {
  expect(isSpecific(expected)).toBe(specific)
})
