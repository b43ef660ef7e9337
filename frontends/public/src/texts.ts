import { createTexts, type Catalogue, type GetText } from '@confetti/i18n'
import { failureCatalogue } from '@confetti/ui/failure-catalogue'
import { uiCatalogue, type UiTextId } from '@confetti/ui/texts'
import type guestTexts from '../locales/guests/en.json'

/** Loads the texts of the guest pages, each language in a file of its own, whose name the shell's page knows. */
const guestCatalogue: Catalogue = (locale) =>
  import(/* webpackChunkName: 'locale-[request]' */ `../locales/guests/${locale}.json`, {
    with: { type: 'json' },
  }) as ReturnType<Catalogue>

export const guestCatalogues = [guestCatalogue, uiCatalogue, failureCatalogue]

export type TextId = keyof typeof guestTexts | UiTextId
export type Text = GetText<TextId>
export const { useText, getText } = createTexts<TextId>()
