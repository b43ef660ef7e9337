import { createTexts, type Catalogue } from '@confetti/i18n'
import type english from '../locales/gallery/en.json'

/**
 * Loads the texts of the gallery's filter, of what saves photos, of guests' own links and of the page about privacy, so that guests
 * who send photos don't download them. They are one file for all languages: the remote's entry, which these guests download, names each file.
 */
export const galleryCatalogue: Catalogue = (locale) =>
  import(
    /* webpackMode: 'lazy-once', webpackChunkName: 'gallery-texts' */ `../locales/gallery/${locale}.json`,
    {
      with: { type: 'json' },
    }
  ) as ReturnType<Catalogue>

export const { useText, getText } = createTexts<keyof typeof english>()
