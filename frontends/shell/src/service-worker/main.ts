import { clientsClaim } from 'workbox-core'
import { serveAppStart } from './app-start.ts'
import { cacheNames, deleteCaches } from './caches.ts'
import { CLAIM_MESSAGE } from './claim-message.ts'
import { serveGuestEvents } from './guest-events.ts'
import { serveHashedFiles } from './hashed-files.ts'
import { servePages } from './pages.ts'
import { serveReleaseFiles } from './release-files.ts'
import { serveBackgroundSync } from './send-unsent.ts'
import { serveShareTarget } from './share-target.ts'

declare const self: ServiceWorkerGlobalScope

// A new worker controls open pages at once, which docs/decisions/043 explains.
void self.skipWaiting()
clientsClaim()

serveHashedFiles()
// Before the pages, of which it is one.
serveAppStart()
servePages()
serveReleaseFiles()
serveGuestEvents()
serveShareTarget()
serveBackgroundSync()

self.addEventListener('activate', (event) => {
  event.waitUntil(deleteCaches(Object.values(cacheNames)))
})

self.addEventListener('message', (event) => {
  if (event.data === CLAIM_MESSAGE) event.waitUntil(self.clients.claim())
})
