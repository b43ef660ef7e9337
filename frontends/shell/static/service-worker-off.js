// Replaces /service-worker.js to remove the service worker from browsers: see "Service worker" in docs/operations.md.
self.addEventListener('install', () => {
  void self.skipWaiting()
})
self.addEventListener('activate', (event) => {
  const removeAll = async () => {
    const names = await caches.keys()
    await Promise.all(names.filter((name) => name.startsWith('confetti-')).map((name) => caches.delete(name)))
    await self.registration.unregister()
  }
  event.waitUntil(removeAll())
})
