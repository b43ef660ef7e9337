import { createTexts, type Catalogue } from '@confetti/i18n'
import { failureCatalogue } from '@confetti/ui/failure-catalogue'
import { uiCatalogue, type UiTextId } from '@confetti/ui/texts'
import type ownerTexts from '../locales/owners/en.json'

/** Loads the texts of the landing page and of the pages for accounts, so that guests don't download them. */
const ownerCatalogue: Catalogue = (locale) =>
  import(/* webpackChunkName: 'owners-[request]' */ `../locales/owners/${locale}.json`, {
    with: { type: 'json' },
  }) as ReturnType<Catalogue>

export const ownerCatalogues = [ownerCatalogue, uiCatalogue, failureCatalogue]

export type OwnerTextId = keyof typeof ownerTexts | UiTextId
export const { useText, getText } = createTexts<OwnerTextId>()
