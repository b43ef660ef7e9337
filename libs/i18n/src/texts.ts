import { useCallback, useSyncExternalStore } from 'react'
import { browserStorage } from '@confetti/api-client'
import {
  DEFAULT_LOCALE,
  getDateLocale,
  getDirection,
  isLocale,
  isolateNames,
  matchLocale,
  withPlainNumbers,
  type Locale,
} from '@confetti/contracts'
import { setupI18n, type Messages } from '@lingui/core'

// The inline script of the shell's index.html reads the same key before the first paint.
const STORAGE_KEY = 'ui-language'

/** Loads the texts of one package in a language, by id. */
export type Catalogue = (locale: Locale) => Promise<{ default: Messages }>

/** The saved choice, or what the browser prefers, or English. */
const choosePreferred = (): Locale => {
  const saved = browserStorage.get(STORAGE_KEY)
  return isLocale(saved) ? saved : (matchLocale(navigator.languages) ?? DEFAULT_LOCALE)
}

const i18n = setupI18n({ locale: DEFAULT_LOCALE, messages: { [DEFAULT_LOCALE]: {} } })
const requestedCatalogues = new Set<Catalogue>()
let requestedLocale: Locale | undefined

export const getLocale = (): Locale => i18n.locale as Locale

/**
 * The tag for `Intl`: the browser's own variant of the page's language, such as `de-AT`. English dates are British
 * otherwise.
 */
export const getFormatLocale = (locale = getLocale()): string => {
  const isOurs = (tag: string): boolean => matchLocale([tag]) === locale
  // A browser may format dates in a language that is not among those that it lists, as WebKitGTK does.
  const ownTag =
    navigator.languages.find(isOurs) ?? [Intl.DateTimeFormat().resolvedOptions().locale].find(isOurs)
  return ownTag ? withPlainNumbers(ownTag) : getDateLocale(locale)
}

/** Sets the language and the direction of the document. From left to right, it has no attribute, like the shell's page. */
const setDocumentLanguage = (locale: Locale): void => {
  const { documentElement } = document
  documentElement.lang = locale
  if (getDirection(locale) === 'rtl') documentElement.dir = 'rtl'
  else documentElement.removeAttribute('dir')
}

/** Loads what is missing in a language, and shows it everywhere, unless another was requested since. */
const activate = async (locale: Locale): Promise<void> => {
  requestedLocale = locale
  const loaded = await Promise.all([...requestedCatalogues].map((catalogue) => catalogue(locale)))
  for (const { default: messages } of loaded) i18n.load(locale, messages)
  if (requestedLocale !== locale) return
  // The numbers of texts are formatted like those beside them.
  i18n.activate(locale, getFormatLocale(locale))
  setDocumentLanguage(locale)
}

/** Shows another language. Rejects if its texts cannot be loaded; the page keeps its language then. */
const switchTo = async (locale: Locale): Promise<void> => {
  const previous = getLocale()
  try {
    await activate(locale)
  } catch (error) {
    if (requestedLocale === locale) requestedLocale = previous
    throw error
  }
}

/** Adds English texts at once, for what is shown before a catalogue can be loaded. */
export const addEnglishTexts = (messages: Messages): void => i18n.load(DEFAULT_LOCALE, messages)

/** Loads texts in the page's language. Rejects if they cannot be loaded. */
export const loadCatalogues = (catalogues: readonly Catalogue[]): Promise<void> => {
  for (const catalogue of catalogues) requestedCatalogues.add(catalogue)
  return activate(requestedLocale ?? choosePreferred())
}

/**
 * Shows the page in this language to somebody who has not chosen one, and whose browser prefers none that there is. A tag
 * without a translation is ignored. Rejects if its texts cannot be loaded; the page keeps its language then.
 */
export const suggestLocale = async (tag: string): Promise<void> => {
  const locale = matchLocale([tag])
  const isDecided =
    isLocale(browserStorage.get(STORAGE_KEY)) || matchLocale(navigator.languages) !== undefined
  if (locale && !isDecided) await switchTo(locale)
}

/** Switches the language and remembers it. Rejects if its texts cannot be loaded; the page keeps its language then. */
export const setLocale = async (locale: Locale): Promise<void> => {
  await switchTo(locale)
  if (getLocale() === locale) browserStorage.set(STORAGE_KEY, locale)
}

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
