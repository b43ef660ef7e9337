import { createTexts, loadCatalogues, type Catalogue } from '@confetti/i18n'
import { uiCatalogue, type UiTextId } from '@confetti/ui/texts'
import type english from '../../locales/members/en.json'

const membersCatalogue: Catalogue = (locale) =>
  import(/* webpackChunkName: 'members-[request]' */ `../../locales/members/${locale}.json`, {
    with: { type: 'json' },
  }) as ReturnType<Catalogue>

export type MembersTextId = keyof typeof english | UiTextId
export const { useText } = createTexts<MembersTextId>()

// In a chunk of members, unlike `failureCatalogue` of ui: guests would download it with the other texts of the shell.
const failureCatalogue: Catalogue = (locale) =>
  import(/* webpackChunkName: 'members-[request]' */ `@confetti/ui/locales/failures/${locale}.json`, {
    with: { type: 'json' },
  }) as ReturnType<Catalogue>

/**
 * Loads the texts around members' pages in the page's language, and those of failures, for signing out. Rejects if they
 * cannot be loaded.
 */
export const loadMembersTexts = (): Promise<void> =>
  loadCatalogues([membersCatalogue, uiCatalogue, failureCatalogue])
