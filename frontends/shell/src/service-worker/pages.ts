import { registerRoute } from 'workbox-routing'
import { NetworkFirst } from 'workbox-strategies'
import { cacheNames } from './caches.ts'
import { NETWORK_TIMEOUT_SECONDS } from './network-timeout.ts'
import { isPage } from './rules.ts'
import { storeOnly } from './store-only.ts'

/** The shell's index.html from the network, and without one from the cache. */
export const pageStrategy = new NetworkFirst({
  cacheName: cacheNames.pages,
  networkTimeoutSeconds: NETWORK_TIMEOUT_SECONDS,
  // One entry for all paths, because they have the same content.
  plugins: [storeOnly(/html/), { cacheKeyWillBeUsed: () => Promise.resolve('/') }],
})

/** Serves the pages of the shell. */
export const servePages = (): void => {
  registerRoute(({ url }) => isPage(url), pageStrategy)
}
