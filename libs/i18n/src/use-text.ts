import { useCallback } from 'react'
import type { I18n } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { getDirection, type Locale } from './locales.ts'
import { i18n } from './texts.ts'

type Values = Readonly<Record<string, string | number>>
/** Returns the text with this id in the page's language. `values` are what its placeholders stand for. */
export type GetText<Id extends string> = (id: Id, values?: Values) => string

const rightToLeftLetters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Names of the other direction are isolated, so that they do not change the order of the sentence. */
const isolateNames = (locale: Locale, values: Values | undefined): Values | undefined =>
  values &&
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isOther =
        typeof value === 'string' && rightToLeftLetters.test(value) !== (getDirection(locale) === 'rtl')
      return [name, isOther ? `\u2068${value}\u2069` : value]
    }),
  )

const format = (source: I18n, id: string, values: Values | undefined): string =>
  source._(id, isolateNames(source.locale as Locale, values))

/** The functions of a remote for its own texts. `Id` is the type of their ids. */
export const createTexts = <Id extends string>() => ({
  /** For components: they render again when the language changes. */
  useText: (): GetText<Id> => {
    const { i18n: shown } = useLingui()
    return useCallback((id, values) => format(shown, id, values), [shown])
  },
  /** For what happens once, such as a toast. */
  getText: ((id, values) => format(i18n, id, values)) as GetText<Id>,
  hasText: (id: string): id is Id => id in i18n.messages,
})

/** The language of the texts that `useText` returns. */
export const useLocale = (): Locale => useLingui().i18n.locale as Locale
