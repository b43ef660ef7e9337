import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { getDirection, locales, matchLocale } from './locales.ts'

test.each([
  [['de-AT', 'en'], 'de'],
  [['pt-PT'], 'pt-BR'],
  [['zh-TW', 'ja'], 'zh-Hans'],
  [['iw-IL'], 'he'],
  [['sv-SE', 'fr-CA', 'en'], 'fr'],
  [['EN-us'], 'en'],
  [['sv', 'deutsch'], undefined],
  [[], undefined],
] as const)('When the browser prefers %j, then the language is %s', (tags, locale) => {
  expect(matchLocale(tags)).toBe(locale)
})

test('Arabic and Hebrew are written from right to left, and no other language', () => {
  const rightToLeft = locales.filter(({ tag }) => getDirection(tag) === 'rtl').map(({ tag }) => tag)
  expect(rightToLeft).toEqual(['ar', 'he'])
})

test('The script that sets the language before the first paint has the same languages', async () => {
  const page = await readFile(new URL('../../../frontends/shell/src/index.html', import.meta.url), 'utf8')
  expect(/locales = '([^']*)'/.exec(page)?.[1]?.split(' ')).toEqual(locales.map(({ tag }) => tag))
})
