import { findRouteGroup } from '@confetti/federation/route-groups'
import { api } from '@confetti/session'
import { reportClientError } from './report-client-error.ts'
import {
  CLAIM_MESSAGE,
  deleteCaches,
  isEvent,
  isHashedFile,
  isPage,
  isReleaseFile,
} from './service-worker/rules.ts'

/**
 * Whether the service worker could not be registered for a reason that is no defect: browsers that store nothing refuse
 * with a SecurityError, and a script that cannot be loaded is a TypeError, as is one that fails, whose message names the
 * evaluation.
 */
export const isExpectedFailure = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const isLoadFailure = error instanceof TypeError && !error.message.includes('evaluation')
  return isLoadFailure || error.name === 'SecurityError'
}

const requestAgain = async (url: URL): Promise<void> => {
  const eventId = url.pathname.split('/').at(-1) ?? ''
  // With the guest token of the page; without one, the gateway would issue another.
  if (isEvent(url))
    await api().get('/api/events/{eventId}', { params: { eventId }, asGuest: true, quiet: true })
  else if (isHashedFile(url) || isPage(url) || isReleaseFile(url)) await fetch(url)
}

/**
 * Requests again what the page requested before the service worker controlled it, so that the worker stores it. Most
 * comes from the browser's HTTP cache.
 */
const keepLoadedFiles = (): void => {
  const controlledSince = performance.now()
  const keep = (url: string): void => {
    // The page does not need the response.
    requestAgain(new URL(url)).catch(() => undefined)
  }
  keep(location.href)
  // Also reports the requests that are pending now, when they end.
  new PerformanceObserver((list) => {
    const earlier = list.getEntries().filter(({ startTime }) => startTime < controlledSince)
    for (const { name } of earlier) keep(name)
  }).observe({ type: 'resource', buffered: true })
}

/**
 * Asks the active worker to control this page, unless it does. Chromium leaves out a page that has not started when the
 * first worker becomes active: its files would not be stored until the next visit.
 */
const requestControl = async (serviceWorker: ServiceWorkerContainer): Promise<void> => {
  const { active } = await serviceWorker.ready
  if (!serviceWorker.controller) active?.postMessage(CLAIM_MESSAGE)
}

/** Registers the service worker. On the first visit of a public page, it then stores what the page has loaded already. */
const registerServiceWorker = async (): Promise<void> => {
  const { serviceWorker } = navigator
  const isPublic = findRouteGroup(location.pathname)?.roles === undefined
  if (isPublic && !serviceWorker.controller)
    serviceWorker.addEventListener('controllerchange', keepLoadedFiles, { once: true })
  await serviceWorker.register('/service-worker.js')
  await requestControl(serviceWorker)
}

/** False in `npm run dev`, whose files have no hash in their names. The build inserts it. */
declare const HAS_SERVICE_WORKER: boolean

let isStarted = false

/** Its start takes the processor of a slow phone, and would keep the first photos waiting. */
const REGISTRATION_DELAY_MS = 1_000

/** Registers the service worker soon. Later calls do nothing. */
export const startServiceWorker = (): void => {
  if (!HAS_SERVICE_WORKER || isStarted || !('serviceWorker' in navigator)) return
  isStarted = true
  setTimeout(() => {
    registerServiceWorker().catch((error: unknown) => {
      if (!isExpectedFailure(error)) reportClientError(error)
    })
  }, REGISTRATION_DELAY_MS)
}

/** Removes the service worker and its caches. */
export const removeServiceWorker = async (): Promise<void> => {
  if (!('serviceWorker' in navigator)) return
  const registrations = await navigator.serviceWorker.getRegistrations()
  await Promise.all(registrations.map((registration) => registration.unregister()))
  // Open pages keep the worker until they are closed, and it stores files again: the next visit deletes those.
  await deleteCaches()
}
