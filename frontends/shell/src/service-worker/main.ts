import { clientsClaim } from 'workbox-core'
import { serveFiles } from './serving.ts'
import { cacheNames, CLAIM_MESSAGE, deleteCaches } from './rules.ts'
import { serveBackgroundSync } from './send-unsent.ts'

declare const self: ServiceWorkerGlobalScope

// A new worker controls open pages at once, which docs/decisions/043 explains.
void self.skipWaiting()
clientsClaim()

serveFiles()
serveBackgroundSync()

self.addEventListener('activate', (event) => {
  event.waitUntil(deleteCaches(Object.values(cacheNames)))
})

self.addEventListener('message', (event) => {
  if (event.data === CLAIM_MESSAGE) event.waitUntil(self.clients.claim())
})
