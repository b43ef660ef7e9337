import {
  DEFAULT_LOCALE,
  getDateLocale,
  getDirection,
  isolateNames,
  locales,
  matchLocale,
  type Locale,
} from '@confetti/contracts'
import { setupI18n } from '@lingui/core'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { catalogues, type TextId } from './catalogues.ts'

type Values = Readonly<Record<string, string | number | boolean>>

/** The texts and formats of one language. */
export interface Texts {
  locale: Locale
  direction: 'ltr' | 'rtl'
  /** Returns a text. `values` are what its placeholders stand for; names of the other direction are isolated. */
  t: (id: TextId, values?: Values) => string
  /** `24 November 2026`. */
  formatDay: (time: Date, timeZone: string) => string
  /** `14:05`. */
  formatTime: (time: Date, timeZone: string) => string
}

const createTexts = (locale: Locale): Texts => {
  const messages = Object.fromEntries(
    Object.entries(catalogues[locale]).map(([id, message]) => [id, compileMessageOrThrow(message)]),
  )
  const dateLocale = getDateLocale(locale)
  const i18n = setupI18n({ locale, locales: dateLocale, messages: { [locale]: messages } })
  return {
    locale,
    direction: getDirection(locale),
    t: (id, values = {}) => i18n._(id, isolateNames(locale, values)),
    formatDay: (time, timeZone) => time.toLocaleDateString(dateLocale, { dateStyle: 'long', timeZone }),
    formatTime: (time, timeZone) => time.toLocaleTimeString(dateLocale, { timeStyle: 'short', timeZone }),
  }
}

const allTexts = Object.fromEntries(locales.map(({ tag }) => [tag, createTexts(tag)])) as Record<
  Locale,
  Texts
>

/** The texts for somebody who reads these languages, the best first; English where there are none or none is known. */
export const getTexts = (...tags: readonly (string | undefined)[]): Texts =>
  allTexts[matchLocale(tags.filter((tag) => tag !== undefined)) ?? DEFAULT_LOCALE]
