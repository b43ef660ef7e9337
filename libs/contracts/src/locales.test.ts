import { expect, test } from '@jest/globals'
import {
  getDateLocale,
  getDirection,
  isolateName,
  locales,
  matchLocale,
  withPlainNumbers,
} from './locales.ts'

test.each([
  [['de-AT', 'en'], 'de'],
  [['pt-PT'], 'pt-BR'],
  [['zh-TW', 'ja'], 'zh-Hans'],
  [['iw-IL'], 'he'],
  [['sv-SE', 'fr-CA', 'en'], 'fr'],
  [['EN-us'], 'en'],
  [['sv', 'deutsch'], undefined],
  [['*'], undefined],
  [[], undefined],
] as const)('When somebody prefers %j, then the language is %s', (tags, locale) => {
  expect(matchLocale(tags)).toBe(locale)
})

test('Arabic and Hebrew are written from right to left, and no other language', () => {
  const rightToLeft = locales.filter(({ tag }) => getDirection(tag) === 'rtl').map(({ tag }) => tag)
  expect(rightToLeft).toEqual(['ar', 'he'])
})

test('A name is isolated in a language of the other direction only', () => {
  expect(isolateName('en', 'Marta')).toBe('Marta')
  expect(isolateName('ar', 'Marta')).toBe('\u2068Marta\u2069')
  expect(isolateName('en', 'مارتا')).toBe('\u2068مارتا\u2069')
  expect(isolateName('he', 'מרתה')).toBe('מרתה')
})

test('Dates of all languages have the digits 0 to 9 and are Gregorian', () => {
  const tags = [
    ...locales.map(({ tag }) => getDateLocale(tag)),
    withPlainNumbers('ar-EG'),
    withPlainNumbers('ar-SA'),
  ]
  for (const tag of tags)
    expect(new Intl.DateTimeFormat(tag).resolvedOptions()).toMatchObject({
      numberingSystem: 'latn',
      calendar: 'gregory',
    })
  expect(withPlainNumbers('de-AT')).toBe('de-AT')
})
