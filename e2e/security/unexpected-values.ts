import { mongoOperators } from '@confetti/test-kit'
import fc from 'fast-check'

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

/** Generates values that no field expects. */
export const unexpectedValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(
    null,
    true,
    0,
    -1,
    1e308,
    '',
    [],
    {},
    ...mongoOperators,
    JSON.parse('{"__proto__": {"role": "admin"}, "constructor": {"prototype": {"role": "admin"}}}'),
    '__proto__',
    'toString',
    'a\0b',
    '\ud800',
    '\udc00\ud800',
    '\u202e\ufeff\u0000',
    'a'.repeat(6_000),
    '💍'.repeat(2_000),
    `${'a'.repeat(60)}!@${'a.'.repeat(60)}`,
    nested(1_000),
    '9999-99-99',
    '2026-02-30',
    '+275760-09-13',
  ),
  fc.jsonValue(),
)

/** Names of fields that a client must not set: mass assignment of them would raise the privileges of the client. */
export const massAssignmentFields = [
  'role',
  '__proto__',
  'constructor',
  '_id',
  'admin',
  'eventFor',
  'userEmail',
  '$where',
  '',
]

/** Bodies that are not JSON, or that are known to break JSON parsers. */
export const malformedBodies = [
  '',
  'null',
  '"text"',
  '[]',
  '{',
  '{"a": 1}}',
  'NaN',
  '{"a": 1e99999}',
  '\ufeff{}',
  '[',
  '['.repeat(50_000),
  '{"a":'.repeat(20_000),
  `${'['.repeat(40_000)}${']'.repeat(40_000)}`,
  '{"email": "a@b.test", "email": {"$gt": ""}, "password": "x"}',
  `{"a": "${'a'.repeat(110_000)}"}`,
  '{"email": "\\ud800", "password": "\\u0000"}',
  "{'email': 1}",
]

/** Values of `Content-Type` other than `application/json`. */
export const contentTypes = [
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json; charset=no-such',
  'application/json;;;=',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/vnd.api+json',
]
