import { expect, test } from '@jest/globals'
import { brokenPromise, isTelling, showsAs, violationsIn } from './violations.ts'

const failure = brokenPromise([
  { kind: 'lost', what: 'image.jpg of Table 1' },
  { kind: 'scenario', what: 'Error: expect(received).toBe(expected)\n\n- Expected\nReceived: 403' },
]).message

test('When a promise is broken, then the error lists each violation, however many lines one has', () => {
  expect(violationsIn(failure)).toEqual([
    expect.stringContaining('lost: image.jpg of Table 1'),
    expect.stringContaining('Received: 403'),
  ])
})

test('When a scenario could not be played, then its error lists none', () => {
  expect(violationsIn('RabbitMQ did not start:\n- lost: nothing')).toEqual([])
})

test.each([
  { expected: 'lost', shown: true },
  { expected: 'lost: Table 1', shown: true },
  { expected: 'lost: Table 2', shown: false },
  { expected: 'twice', shown: false },
  { expected: 'scenario: Received: 403', shown: true },
  { expected: 'scenario: Received: 401', shown: false },
])('When a bug is expected as $expected, then it shows as that: $shown', ({ expected, shown }) => {
  expect(violationsIn(failure).some((violation) => showsAs(violation, expected))).toBe(shown)
})

test.each([
  ['stuck', true],
  ['hang: POST /api/uploads', true],
  ['scenario', false],
  ['scenario: the sweep', true],
  ['unwell', false],
  ['', false],
])('When a patch expects %p, then that is telling: %p', (expected, telling) => {
  expect(isTelling(expected)).toBe(telling)
})
