export { getDirection, locales, type Locale } from './locales.ts'
export { getLocale, loadCatalogue, setLocale, suggestLocale, type Catalogue } from './texts.ts'
export { createTexts, useLocale, type GetText } from './use-text.ts'
