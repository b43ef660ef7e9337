import { browserStorage } from '@confetti/api-client'
import { setupI18n, type Messages } from '@lingui/core'
import { DEFAULT_LOCALE, getDirection, isLocale, matchLocale, type Locale } from './locales.ts'

// The inline script of the shell's index.html reads the same key before the first paint.
const STORAGE_KEY = 'ui-language'

/** Loads the texts of one remote in a language, by id. */
export type Catalogue = (locale: Locale) => Promise<{ default: Messages }>

/** The saved choice, or what the browser prefers, or English. */
const choosePreferred = (): Locale => {
  const saved = browserStorage.get(STORAGE_KEY)
  return isLocale(saved) ? saved : (matchLocale(navigator.languages) ?? DEFAULT_LOCALE)
}

export const i18n = setupI18n({ locale: DEFAULT_LOCALE, messages: { [DEFAULT_LOCALE]: {} } })
const catalogues = new Set<Catalogue>()
let requestedLocale: Locale | undefined

export const getLocale = (): Locale => i18n.locale as Locale

/** Loads what is missing in a language, and shows it everywhere, unless another was requested since. */
const activate = async (locale: Locale): Promise<void> => {
  requestedLocale = locale
  const loaded = await Promise.all([...catalogues].map((catalogue) => catalogue(locale)))
  for (const { default: messages } of loaded) i18n.load(locale, messages)
  if (requestedLocale === locale) i18n.activate(locale)
}

/** Loads the texts of a remote in the page's language. Rejects if they cannot be loaded. */
export const loadCatalogue = (catalogue: Catalogue): Promise<void> => {
  catalogues.add(catalogue)
  return activate(requestedLocale ?? choosePreferred())
}

/**
 * Shows the page in this language to somebody who has not chosen one, and whose browser prefers none that there is. A tag
 * without a translation is ignored. Rejects if the texts cannot be loaded.
 */
export const suggestLocale = async (tag: string): Promise<void> => {
  const locale = matchLocale([tag])
  const isDecided =
    isLocale(browserStorage.get(STORAGE_KEY)) || matchLocale(navigator.languages) !== undefined
  if (locale && !isDecided) await activate(locale)
}

/** Switches the language and remembers it. Rejects if its texts cannot be loaded; the page keeps its language then. */
export const setLocale = async (locale: Locale): Promise<void> => {
  const previous = getLocale()
  try {
    await activate(locale)
  } catch (error) {
    if (requestedLocale === locale) requestedLocale = previous
    throw error
  }
  browserStorage.set(STORAGE_KEY, locale)
}

/** Sets the language and the direction of the document. From left to right, it has no attribute, like the shell's page. */
export const setDocumentLanguage = (locale: Locale): void => {
  const { documentElement } = document
  documentElement.lang = locale
  if (getDirection(locale) === 'rtl') documentElement.dir = 'rtl'
  else documentElement.removeAttribute('dir')
}
