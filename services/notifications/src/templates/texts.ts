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
import ar from '../../locales/ar.json' with { type: 'json' }
import de from '../../locales/de.json' with { type: 'json' }
import en from '../../locales/en.json' with { type: 'json' }
import es from '../../locales/es.json' with { type: 'json' }
import fr from '../../locales/fr.json' with { type: 'json' }
import he from '../../locales/he.json' with { type: 'json' }
import hi from '../../locales/hi.json' with { type: 'json' }
import it from '../../locales/it.json' with { type: 'json' }
import ja from '../../locales/ja.json' with { type: 'json' }
import nl from '../../locales/nl.json' with { type: 'json' }
import pl from '../../locales/pl.json' with { type: 'json' }
import ptBR from '../../locales/pt-BR.json' with { type: 'json' }
import tr from '../../locales/tr.json' with { type: 'json' }
import uk from '../../locales/uk.json' with { type: 'json' }
import zhHans from '../../locales/zh-Hans.json' with { type: 'json' }

type TextId = keyof typeof en

/** The texts of all languages, as ICU messages by id. What a language lacks is in English. */
const catalogues: Readonly<Record<Locale, Readonly<Partial<Record<TextId, string>>>>> = {
  en,
  de,
  fr,
  es,
  it,
  'pt-BR': ptBR,
  nl,
  pl,
  uk,
  tr,
  ar,
  he,
  hi,
  ja,
  'zh-Hans': zhHans,
}

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
    Object.entries({ ...en, ...catalogues[locale] }).map(([id, message]) => [
      id,
      compileMessageOrThrow(message),
    ]),
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
