import { findRouteGroup } from '@confetti/federation/route-groups'
import { CLAIM_MESSAGE } from '../service-worker/claim-message.ts'
import { keepLoadedFiles } from './keep-loaded-files.ts'

/**
 * Asks the active worker to control this page, unless it does. Chromium leaves out a page that has not started when the
 * first worker becomes active: its files would not be stored until the next visit.
 */
const requestControl = async (serviceWorker: ServiceWorkerContainer): Promise<void> => {
  const { active } = await serviceWorker.ready
  if (!serviceWorker.controller) active?.postMessage(CLAIM_MESSAGE)
}

/** Registers the service worker. On the first visit of a public page, it then stores what the page has loaded already. */
export const registerServiceWorker = async (): Promise<void> => {
  const { serviceWorker } = navigator
  const isPublic = findRouteGroup(location.pathname)?.roles === undefined
  if (isPublic && !serviceWorker.controller)
    serviceWorker.addEventListener('controllerchange', keepLoadedFiles, { once: true })
  await serviceWorker.register('/service-worker.js')
  await requestControl(serviceWorker)
}
