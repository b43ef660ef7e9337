import { createTexts, type Catalogue } from '@confetti/i18n'
import type english from '../locales/components/en.json'

// The name of the chunk is that of the remotes' own texts, so that both are one file.

/** Loads what all pages have in common: texts of the components, Retry, Cancel. */
export const uiCatalogue: Catalogue = (locale) =>
  import(/* webpackChunkName: 'locale-[request]' */ `../locales/components/${locale}.json`, {
    with: { type: 'json' },
  }) as ReturnType<Catalogue>

export type UiTextId = keyof typeof english
export const { useText, getText } = createTexts<UiTextId>()
