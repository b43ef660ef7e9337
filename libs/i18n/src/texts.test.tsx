import { expect, jest, test } from '@jest/globals'
import { act, render, screen } from '@testing-library/react'
import {
  createTexts,
  getFormatLocale,
  getLocale,
  loadCatalogues,
  setLocale,
  suggestLocale,
  type Catalogue,
} from './index.ts'

const texts: Partial<Record<string, Record<string, string>>> = {
  en: { hello: 'Hello {name}', files: '{count, plural, one {# file} other {# files}}' },
  ar: {
    hello: 'مرحبا {name}',
    files: '{count, plural, one {ملف واحد} two {ملفان} few {# ملفات} other {# ملف}}',
  },
}
const catalogue: Catalogue = (locale) => {
  const messages = texts[locale]
  return messages
    ? Promise.resolve({ default: messages })
    : Promise.reject(new Error('The file cannot be loaded.'))
}
const { useText, getText, hasText } = createTexts<'hello' | 'files'>()
await loadCatalogues([catalogue])

const Page = () => {
  const t = useText()
  return <p>{`${t('hello', { name: 'Marta' })}, ${t('files', { count: 2 })}`}</p>
}

test('When the language changes, then what is on the screen and the document do, and the choice is remembered', async () => {
  render(<Page />)
  expect(screen.getByText('Hello Marta, 2 files')).toBeTruthy()
  expect(document.documentElement.lang).toBe('en')
  await act(() => setLocale('ar'))
  // A name of the other direction is isolated.
  expect(screen.getByText('مرحبا \u2068Marta\u2069, ملفان')).toBeTruthy()
  expect(document.documentElement.lang).toBe('ar')
  expect(document.documentElement.dir).toBe('rtl')
  expect(localStorage.getItem('ui-language')).toBe('ar')
  expect(getText('hello', { name: 'مارتا' })).toBe('مرحبا مارتا')
})

test('When a language cannot be loaded, then the page keeps its own', async () => {
  await setLocale('en')
  await expect(setLocale('fr')).rejects.toThrow('The file cannot be loaded.')
  expect(getLocale()).toBe('en')
  expect(localStorage.getItem('ui-language')).toBe('en')
  await loadCatalogues([catalogue])
  expect(getText('files', { count: 1 })).toBe('1 file')
})

test('When two languages are chosen one after the other, then the last one stays, whichever loads first', async () => {
  const arabic = Promise.withResolvers<undefined>()
  await loadCatalogues([
    async (locale) => {
      if (locale === 'ar') await arabic.promise
      return { default: {} }
    },
  ])
  const slow = setLocale('ar')
  await setLocale('en')
  arabic.resolve(undefined)
  await slow
  expect(getLocale()).toBe('en')
  expect(localStorage.getItem('ui-language')).toBe('en')
  expect(hasText('hello')).toBe(true)
  expect(hasText('another')).toBe(false)
})

test('When a language is suggested, then it is shown only to somebody who has no other', async () => {
  const languages = jest.spyOn(navigator, 'languages', 'get')
  localStorage.clear()
  languages.mockReturnValue(['en-GB'])
  await suggestLocale('ar')
  expect(getLocale()).toBe('en')

  languages.mockReturnValue(['cy'])
  await suggestLocale('tlh')
  expect(getLocale()).toBe('en')
  await suggestLocale('ar-EG')
  expect(getLocale()).toBe('ar')
  expect(localStorage.getItem('ui-language')).toBeNull()

  await setLocale('en')
  await suggestLocale('ar')
  expect(getLocale()).toBe('en')
})

test('When a suggested language cannot be loaded, then the texts of the next page are in the language of this one', async () => {
  localStorage.clear()
  await loadCatalogues([catalogue])
  jest.spyOn(navigator, 'languages', 'get').mockReturnValue(['cy'])
  await expect(suggestLocale('fr')).rejects.toThrow('The file cannot be loaded.')
  const nextPage: Catalogue = () => Promise.resolve({ default: { another: 'Another' } })
  await loadCatalogues([nextPage])
  expect(getLocale()).toBe('en')
  expect(hasText('another')).toBe(true)
})

test('When a browser prefers other digits, then the numbers of a page in Arabic have the same as its texts', async () => {
  await loadCatalogues([catalogue])
  jest.spyOn(navigator, 'languages', 'get').mockReturnValue(['ar-EG'])
  await setLocale('ar')
  const formatLocale = getFormatLocale()
  expect(new Intl.Locale(formatLocale).region).toBe('EG')
  expect((1234).toLocaleString(formatLocale)).toBe('1,234')
  expect(new Date('2027-06-12').toLocaleDateString(formatLocale, { dateStyle: 'long' })).toBe('12 يونيو 2027')
  expect(getText('files', { count: 1234 })).toBe('1,234 ملف')
})
