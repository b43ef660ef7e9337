import { expect, test } from '@jest/globals'
import { normaliseText } from './text-limits.ts'
import { requiredText } from './text.ts'

test.each([
  ['  Table 4 ', 'Table 4'],
  ['cafe\u0301', 'café'],
  ['one\r\ntwo\rthree', 'one\ntwo\nthree'],
  ['a\u0000b\u0007c', 'abc'],
  ['half \ud83c', 'half \ufffd'],
  ['\u00a0\u2003', ''],
])('When a person types %j, then it is normalised to %j', (typed, kept) => {
  expect(normaliseText(typed)).toBe(kept)
})

const name = requiredText(3, 'missing', 'too long')

test.each([
  [undefined, 'missing'],
  [null, 'missing'],
  [7, 'missing'],
  ['', 'missing'],
  [' \n ', 'missing'],
  ['four', 'too long'],
])('When a required text of 3 characters is %j, then it is rejected as %s', (value, message) => {
  expect(name.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message])
})

test('When a text has 3 emoji, then it has 3 characters', () => {
  expect(name.parse(' 🎉🎉🎉 ')).toBe('🎉🎉🎉')
})
