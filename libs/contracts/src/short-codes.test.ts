import { expect, test } from '@jest/globals'
import { formatShortCode, parseShortCode, shortLinkPath } from './short-codes.ts'

test.each([
  ['7F3K9QXM'],
  ['7F3K-9QXM'],
  ['7f3k-9qxm'],
  [' 7f3k 9qxm\n'],
  ['7F3K–9QXM'],
  ['７Ｆ３Ｋ－９ｑｘｍ'],
  ['7f3k9oxm'],
  ['7F3K90XM'],
])('When %j is typed, then the code is found in it', (typed) => {
  expect(parseShortCode(typed)).toBe('7F3K9QXM')
})

test('When a character is typed that looks like one of the alphabet alone, then it counts as that one', () => {
  expect(parseShortCode('uuuu2222')).toBe('VVVV2222')
})

test.each([
  [''],
  ['7F3K9QX'],
  ['7F3K9QXMM'],
  // Each looks like several characters that codes have.
  ['1F3K9QXM'],
  ['IF3K9QXM'],
  ['LF3K9QXM'],
  ['7F3K9QX/'],
  ['7F3K9QX%'],
])('When %j is typed, then it is no code', (typed) => {
  expect(parseShortCode(typed)).toBeUndefined()
})

test('When a code is shown, then it has a dash in the middle, also in its link', () => {
  expect(formatShortCode('7F3K9QXM')).toBe('7F3K-9QXM')
  expect(shortLinkPath('7F3K9QXM')).toBe('/e/7F3K-9QXM')
})
