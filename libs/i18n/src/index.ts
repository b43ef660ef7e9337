export { getDateLocale, getDirection, locales, type Locale } from '@confetti/contracts'
export {
  addEnglishTexts,
  getFormatLocale,
  getLocale,
  loadCatalogues,
  setLocale,
  suggestLocale,
  type Catalogue,
} from './texts.ts'
export { createTexts, useLocale, type GetText } from './use-text.ts'
