import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { NetworkFirst } from 'workbox-strategies'
import { cacheNames } from './caches.ts'
import { NETWORK_TIMEOUT_SECONDS } from './network-timeout.ts'
import { isReleaseFile } from './rules.ts'
import { storeOnly } from './store-only.ts'
import { withoutQuery } from './without-query.ts'

// Each version of a remote can have a manifest at a path of its own.
const MAX_FILES = 20

/** Serves /config.json and the remotes' manifests from the network, and without one from the cache. */
export const serveReleaseFiles = (): void => {
  registerRoute(
    ({ url }) => isReleaseFile(url),
    new NetworkFirst({
      cacheName: cacheNames.releaseFiles,
      networkTimeoutSeconds: NETWORK_TIMEOUT_SECONDS,
      plugins: [
        storeOnly(/json/),
        withoutQuery,
        new ExpirationPlugin({ maxEntries: MAX_FILES, purgeOnQuotaError: true }),
      ],
    }),
  )
}
