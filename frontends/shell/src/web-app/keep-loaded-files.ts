import { api } from '@confetti/session'
import { isEvent, isHashedFile, isPage, isReleaseFile } from '../service-worker/rules.ts'

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
export const keepLoadedFiles = (): void => {
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
