import type { GuestEvent } from '@confetti/contracts'
import type { WorkboxPlugin } from 'workbox-core'
import { cacheNames } from './rules.ts'

// What is stored of a response, and under which key.

/**
 * Stores only successful responses of a media type, so that neither an error nor the sign-in page of a Wi-Fi network
 * replaces a file.
 */
export const storeOnly = (mediaType: RegExp): WorkboxPlugin => ({
  cacheWillUpdate: ({ response }) => {
    const isStored =
      response.status === 200 &&
      !response.redirected &&
      mediaType.test(response.headers.get('Content-Type') ?? '')
    return Promise.resolve(isStored ? response : null)
  },
})

/**
 * Stores what stays true of an event: not the headers of its response, which can have a guest token that must not be used
 * again, and not how much it still accepts.
 */
export const storeEvent: WorkboxPlugin = {
  cacheWillUpdate: async ({ response }) => {
    if (response.status !== 200) return null
    const event = (await response.json()) as GuestEvent & { event?: GuestEvent }
    delete event.limits.remainingBytes
    delete event.event?.limits.remainingBytes
    return new Response(JSON.stringify(event), { headers: { 'Content-Type': 'application/json' } })
  },
}

/** Stores and finds a response by its URL without the query, which has a timestamp. */
export const withoutQuery: WorkboxPlugin = {
  cacheKeyWillBeUsed: ({ request }) => {
    const { origin, pathname } = new URL(request.url)
    return Promise.resolve(origin + pathname)
  },
}

/** Removes an event that was deleted, or that this guest may not see until they have entered its PIN. */
export const deleteMissing: WorkboxPlugin = {
  fetchDidSucceed: async ({ request, response }) => {
    if (response.status === 404) {
      const cache = await caches.open(cacheNames.events)
      await cache.delete(request, { ignoreSearch: true })
    }
    return response
  },
}
