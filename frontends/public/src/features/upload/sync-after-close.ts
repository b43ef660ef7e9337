import { loadUploadCode } from './load-upload-code.ts'

const requestSync = (): void => {
  loadUploadCode()
    .then((sending) => sending?.requestBackgroundSync())
    // The next visit sends the files.
    .catch(() => undefined)
}

/**
 * Lets the service worker send what is left when the page is closed, where the browser can do that. A sync that finds
 * the page open fails, and the browser does not repeat that for long, so it is requested again whenever the page is
 * hidden. `onHidden` is called then. Returns a function that ends it.
 */
export const syncAfterClose = (onHidden: () => void): (() => void) => {
  const handleVisibility = (): void => {
    if (document.visibilityState === 'visible') return
    requestSync()
    onHidden()
  }
  requestSync()
  document.addEventListener('visibilitychange', handleVisibility)
  return () => document.removeEventListener('visibilitychange', handleVisibility)
}
