import { reportClientError } from '../report-client-error.ts'
import { isExpectedFailure } from './is-expected-failure.ts'

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
      if (!isExpectedFailure(error)) reportClientError(error)
    })
}
