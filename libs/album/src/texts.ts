import { createTexts, type Catalogue, type GetText } from '@confetti/i18n'
import type { UiTextId } from '@confetti/ui/texts'
import type english from '../locales/en.json'

// The name of the chunk is that of the remotes' own texts, so that both are one file.

/** Loads the texts of the album and of the settings of events. */
export const albumCatalogue: Catalogue = (locale) =>
  import(/* webpackChunkName: 'locale-[request]' */ `../locales/${locale}.json`, {
    with: { type: 'json' },
  }) as ReturnType<Catalogue>

export type TextId = keyof typeof english | UiTextId
export type Text = GetText<TextId>
export const { useText, getText } = createTexts<TextId>()
