import { loadCatalogues, type Catalogue } from '@confetti/i18n'
import type { RemoteRoute } from './remote.ts'

/** Routes whose pages load together with their texts in the page's language. */
export const withTexts = (
  catalogues: readonly Catalogue[],
  routes: readonly RemoteRoute[],
): readonly RemoteRoute[] =>
  routes.map((route) => ({
    ...route,
    page: async () => {
      const [Page] = await Promise.all([route.page(), loadCatalogues(catalogues)])
      return Page
    },
  }))
