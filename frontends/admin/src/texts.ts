import { albumCatalogue } from '@confetti/album/texts'
import { createTexts, type Catalogue, type GetText } from '@confetti/i18n'
import { failureCatalogue } from '@confetti/ui/failure-catalogue'
import { uiCatalogue, type UiTextId } from '@confetti/ui/texts'
import type english from '../locales/en.json'

const adminCatalogue: Catalogue = (locale) =>
  import(/* webpackChunkName: 'locale-[request]' */ `../locales/${locale}.json`, {
    with: { type: 'json' },
  }) as ReturnType<Catalogue>

/** Loads the texts of the pages of admins, each language in one file. */
export const catalogues = [adminCatalogue, albumCatalogue, uiCatalogue, failureCatalogue]

export type TextId = keyof typeof english | UiTextId
export type Text = GetText<TextId>
export const { useText, getText } = createTexts<TextId>()
