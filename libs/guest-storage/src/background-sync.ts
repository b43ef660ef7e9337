/** The tag of the sync in which the service worker sends unsent files. */
export const SEND_UNSENT_TAG = 'send-unsent'

/** A part of the Background Sync API, which TypeScript does not know. */
interface WithSync {
  sync?: { register: (tag: string) => Promise<void> }
}

/**
 * Asks the browser for a sync as soon as it has a network, also when the page is closed by then. Does nothing without a
 * service worker or Background Sync. Rejects where the browser does not permit it.
 */
export const requestBackgroundSync = async (): Promise<void> => {
  if (!('serviceWorker' in navigator)) return
  const registration = (await navigator.serviceWorker.getRegistration()) as WithSync | undefined
  await registration?.sync?.register(SEND_UNSENT_TAG)
}
