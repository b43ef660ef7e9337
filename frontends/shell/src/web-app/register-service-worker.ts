import { findRouteGroup } from '@confetti/federation/route-groups'
import { keepLoadedFiles } from './keep-loaded-files.ts'

/** Registers the service worker. On the first visit of a public page, it then stores what the page has loaded already. */
export const registerServiceWorker = async (): Promise<void> => {
  const { serviceWorker } = navigator
  const isPublic = findRouteGroup(location.pathname)?.roles === undefined
  if (isPublic && !serviceWorker.controller)
    serviceWorker.addEventListener('controllerchange', keepLoadedFiles, { once: true })
  await serviceWorker.register('/service-worker.js')
}
