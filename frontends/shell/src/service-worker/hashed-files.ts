import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { cacheNames } from './caches.ts'
import { isHashedFile } from './rules.ts'
import { storeOnly } from './store-only.ts'

const CODE_OR_ASSET = /javascript|css|font|image/
// Two releases of all frontends: those not used for the longest time are removed first.
const MAX_FILES = 200
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60

/** Serves files that never change from the cache. */
export const serveHashedFiles = (): void => {
  registerRoute(
    ({ url }) => isHashedFile(url),
    new CacheFirst({
      cacheName: cacheNames.hashedFiles,
      plugins: [
        storeOnly(CODE_OR_ASSET),
        new ExpirationPlugin({
          maxEntries: MAX_FILES,
          maxAgeSeconds: MAX_AGE_SECONDS,
          purgeOnQuotaError: true,
        }),
      ],
    }),
  )
}
