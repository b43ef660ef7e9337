export { getDateLocale, getDirection, locales, type Locale } from '@confetti/contracts'
export {
  addEnglishTexts,
  createTexts,
  getFormatLocale,
  getLocale,
  loadCatalogues,
  setLocale,
  suggestLocale,
  useLocale,
  type Catalogue,
  type GetText,
} from './texts.ts'
