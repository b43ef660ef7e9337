import { createTexts, type Catalogue } from '@confetti/i18n'
import type { UiTextId } from '@confetti/ui/texts'
import type english from '../../../locales/in-app/en.json'

/** Loads the texts of the hint, one file for all languages, so that other guests don't download them. */
export const inAppCatalogue: Catalogue = (locale) =>
  import(
    /* webpackMode: 'lazy-once', webpackChunkName: 'in-app-texts' */ `../../../locales/in-app/${locale}.json`,
    {
      with: { type: 'json' },
    }
  ) as ReturnType<Catalogue>

export const { useText } = createTexts<keyof typeof english | UiTextId>()
