import type { WorkboxPlugin } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { NetworkFirst } from 'workbox-strategies'
import { cacheNames } from './caches.ts'
import { NETWORK_TIMEOUT_SECONDS } from './network-timeout.ts'
import { isEvent } from './rules.ts'
import { storeEvent } from './store-event.ts'
import { withoutQuery } from './without-query.ts'

const MAX_EVENTS = 5
const MAX_AGE_SECONDS = 14 * 24 * 60 * 60

/** Removes an event that was deleted. */
const deleteMissing: WorkboxPlugin = {
  fetchDidSucceed: async ({ request, response }) => {
    if (response.status === 404) {
      const cache = await caches.open(cacheNames.events)
      await cache.delete(request, { ignoreSearch: true })
    }
    return response
  },
}

/** Serves events as guests see them from the network, and without one from the cache, so that the upload page opens. */
export const serveGuestEvents = (): void => {
  registerRoute(
    ({ url, request }) => isEvent(url) && !request.headers.has('Authorization'),
    new NetworkFirst({
      cacheName: cacheNames.events,
      networkTimeoutSeconds: NETWORK_TIMEOUT_SECONDS,
      plugins: [
        storeEvent,
        deleteMissing,
        withoutQuery,
        new ExpirationPlugin({
          maxEntries: MAX_EVENTS,
          maxAgeSeconds: MAX_AGE_SECONDS,
          purgeOnQuotaError: true,
        }),
      ],
    }),
  )
}
