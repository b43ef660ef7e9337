import { albumCatalogue } from '@confetti/album/texts'
import { createTexts, type Catalogue } from '@confetti/i18n'
import { failureCatalogue } from '@confetti/ui/failure-catalogue'
import { uiCatalogue, type UiTextId } from '@confetti/ui/texts'
import type english from '../locales/en.json'

const organiserCatalogue: Catalogue = (locale) =>
  import(/* webpackChunkName: 'locale-[request]' */ `../locales/${locale}.json`, {
    with: { type: 'json' },
  }) as ReturnType<Catalogue>

/** Loads the texts of the pages of organisers, each language in one file. */
export const catalogues = [organiserCatalogue, albumCatalogue, uiCatalogue, failureCatalogue]

export type TextId = keyof typeof english | UiTextId
export const { useText, getText } = createTexts<TextId>()
