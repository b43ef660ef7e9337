import { useCallback, useSyncExternalStore } from 'react'
import { isolateNames, type Locale } from '@confetti/contracts'
import { getLocale, i18n } from './texts.ts'

type Values = Readonly<Record<string, string | number>>
/** Returns the text with this id in the page's language. `values` are what its placeholders stand for. */
export type GetText<Id extends string> = (id: Id, values?: Values) => string

const subscribe = (notify: () => void): (() => void) => i18n.on('change', notify)

/** The page's language. The component renders again when it changes. */
export const useLocale = (): Locale => useSyncExternalStore(subscribe, getLocale)

/** The functions of a package for its own texts. `Id` is the type of their ids. */
export const createTexts = <Id extends string>() => {
  const getText: GetText<Id> = (id, values) => i18n._(id, values && isolateNames(getLocale(), values))
  return {
    /** For what happens once, such as a toast. */
    getText,
    /** For components: they render again when the language changes. */
    useText: (): GetText<Id> => {
      const locale = useLocale()
      // A new function for each language, so that what is computed from texts is computed again.
      return useCallback<GetText<Id>>((id, values) => getText(id, values), [locale])
    },
    hasText: (id: string): id is Id => id in i18n.messages,
  }
}
