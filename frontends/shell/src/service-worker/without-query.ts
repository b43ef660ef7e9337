import type { WorkboxPlugin } from 'workbox-core'

/** Stores and finds a response by its URL without the query, which has a timestamp or the number of a retry. */
export const withoutQuery: WorkboxPlugin = {
  cacheKeyWillBeUsed: ({ request }) => {
    const { origin, pathname } = new URL(request.url)
    return Promise.resolve(origin + pathname)
  },
}
