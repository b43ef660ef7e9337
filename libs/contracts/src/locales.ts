/**
 * The languages that there are translations for, and their own names. The inline script of the shell's index.html has the
 * same list.
 */
export const locales = [
  { tag: 'en', name: 'English' },
  { tag: 'de', name: 'Deutsch' },
  { tag: 'fr', name: 'Français' },
  { tag: 'es', name: 'Español' },
  { tag: 'it', name: 'Italiano' },
  { tag: 'pt-BR', name: 'Português (Brasil)' },
  { tag: 'nl', name: 'Nederlands' },
  { tag: 'pl', name: 'Polski' },
  { tag: 'uk', name: 'Українська' },
  { tag: 'tr', name: 'Türkçe' },
  { tag: 'ar', name: 'العربية' },
  { tag: 'he', name: 'עברית' },
  { tag: 'hi', name: 'हिन्दी' },
  { tag: 'ja', name: '日本語' },
  { tag: 'zh-Hans', name: '简体中文' },
] as const

export type Locale = (typeof locales)[number]['tag']
export const DEFAULT_LOCALE: Locale = 'en'

const rightToLeft: readonly Locale[] = ['ar', 'he']
export const getDirection = (locale: Locale): 'ltr' | 'rtl' => (rightToLeft.includes(locale) ? 'rtl' : 'ltr')

export const isLocale = (tag: string | undefined): tag is Locale => locales.some((each) => each.tag === tag)

// Older names that browsers send.
const aliases: Readonly<Record<string, string>> = { iw: 'he' }
const getLanguage = (tag: string): string => {
  const language = tag.toLowerCase().split('-')[0] ?? ''
  return aliases[language] ?? language
}

/** Returns the locale for the first of these language tags that there is a translation for, by its language alone. */
export const matchLocale = (tags: readonly string[]): Locale | undefined =>
  tags
    .map((tag) => locales.find((locale) => getLanguage(locale.tag) === getLanguage(tag))?.tag)
    .find((tag) => tag !== undefined)

const rightToLeftLetters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Isolates a name of the other direction, so that it does not change the order of the text around it. */
export const isolateName = (locale: Locale, name: string): string =>
  rightToLeftLetters.test(name) === (getDirection(locale) === 'rtl') ? name : `\u2068${name}\u2069`

/** Isolates the names among the values of a text. Numbers and booleans stay as they are. */
export const isolateNames = <Value>(
  locale: Locale,
  values: Readonly<Record<string, Value>>,
): Record<string, Value | string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? isolateName(locale, value) : value,
    ]),
  )

/**
 * Returns an Arabic tag with the digits 0 to 9 and the Gregorian calendar, which texts and the fields of forms have: a
 * page would have two kinds of digits otherwise, and in some countries two calendars. Returns other tags unchanged.
 */
export const withPlainNumbers = (tag: string): string =>
  getLanguage(tag) === 'ar'
    ? new Intl.Locale(tag, { numberingSystem: 'latn', calendar: 'gregory' }).toString()
    : tag

/** The tag with which `Intl` formats numbers and dates in a language. English dates are British. */
export const getDateLocale = (locale: Locale): string =>
  locale === 'en' ? 'en-GB' : withPlainNumbers(locale)
