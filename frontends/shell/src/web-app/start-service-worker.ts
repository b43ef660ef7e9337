import { reportClientError } from '../report-client-error.ts'

/** False in `npm run dev`, whose files have no hash in their names. The build inserts it. */
declare const HAS_SERVICE_WORKER: boolean

let isStarted = false

/** Registers the service worker. Later calls do nothing. */
export const startServiceWorker = (): void => {
  if (!HAS_SERVICE_WORKER || isStarted || !('serviceWorker' in navigator)) return
  isStarted = true
  import('./register-service-worker.ts')
    .then(({ registerServiceWorker }) => registerServiceWorker())
    .catch((error: unknown) => {
      // Browsers that store nothing refuse with a SecurityError.
      const isExpected =
        !navigator.onLine || (error instanceof DOMException && error.name === 'SecurityError')
      if (!isExpected) reportClientError(error)
    })
}
