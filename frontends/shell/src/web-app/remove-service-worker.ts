import { deleteCaches } from '../service-worker/caches.ts'

/** Removes the service worker and its caches. */
export const removeServiceWorker = async (): Promise<void> => {
  if (!('serviceWorker' in navigator)) return
  const registrations = await navigator.serviceWorker.getRegistrations()
  await Promise.all(registrations.map((registration) => registration.unregister()))
  // Open pages keep the worker until they are closed, and it stores files again: the next visit deletes those.
  await deleteCaches()
}
