import { createTexts, type Catalogue } from '@confetti/i18n'
import type english from '../locales/gallery/en.json'

/** Loads the texts of the gallery's filter, so that guests who send photos don't download them. */
export const galleryCatalogue: Catalogue = (locale) =>
  import(/* webpackChunkName: 'gallery-[request]' */ `../locales/gallery/${locale}.json`, {
    with: { type: 'json' },
  }) as ReturnType<Catalogue>

export const { useText } = createTexts<keyof typeof english>()
