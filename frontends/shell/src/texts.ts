import { DEFAULT_LOCALE } from '@confetti/contracts'
import { addEnglishTexts, createTexts, loadCatalogues, type Catalogue } from '@confetti/i18n'
import { uiCatalogue, type UiTextId } from '@confetti/ui/texts'
import uiEnglish from '@confetti/ui/locales/components/en.json' with { type: 'json' }
import english from '../locales/notices/en.json' with { type: 'json' }

const englishTexts = { ...uiEnglish, ...english }

/** Loads what the shell shows to everybody. English is there already. */
const catalogue: Catalogue = async (locale) => {
  if (locale === DEFAULT_LOCALE) return { default: {} }
  const [ui, notices] = await Promise.all([
    uiCatalogue(locale),
    import(/* webpackChunkName: 'locale-[request]' */ `../locales/notices/${locale}.json`, {
      with: { type: 'json' },
    }) as ReturnType<Catalogue>,
  ])
  return { default: { ...ui.default, ...notices.default } }
}

export const { useText } = createTexts<keyof typeof english | UiTextId>()

/** Adds the English texts at once, so that something can be shown before those of the page's language are loaded. */
export const addTexts = (): void => addEnglishTexts(englishTexts)

/** Loads the texts in the page's language. Rejects if they cannot be loaded. */
export const loadTexts = (): Promise<void> => loadCatalogues([catalogue])
