import type { Catalogue } from '@confetti/i18n'

/** Loads the texts of failed calls by their codes. English needs none. */
export const failureCatalogue: Catalogue = (locale) =>
  locale === 'en'
    ? Promise.resolve({ default: {} })
    : (import(/* webpackChunkName: 'locale-[request]' */ `../locales/failures/${locale}.json`, {
        with: { type: 'json' },
      }) as ReturnType<Catalogue>)
