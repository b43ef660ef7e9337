import type { GuestEvent } from '@confetti/contracts'
import type { WorkboxPlugin } from 'workbox-core'

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
