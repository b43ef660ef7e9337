import { notFound } from '@confetti/service-kit'
import type { LiveMetrics, RefusalReason } from '../live-metrics.ts'
import { audienceOf, type Audience, type Credentials } from './event.ts'
import type { EventCache } from './event-cache.ts'
import { refuseStream } from './streams.ts'

// Messages update the cached events sooner.
const MAX_EVENT_AGE_MS = 5_000

interface Deps {
  events: EventCache
  isDraining: () => boolean
  /** Whether messages arrive. Without them a stream would be silent, and its page would not poll. */
  isSubscribed: () => boolean
  metrics: LiveMetrics
}

/**
 * Returns the audience of an event that the caller belongs to. Throws `notFound` if they may not follow it, and
 * `unavailable` while this replica cannot serve a stream.
 */
export const makeFindAudience =
  ({ events, isDraining, isSubscribed, metrics }: Deps) =>
  async (eventId: string, credentials: Credentials): Promise<Audience> => {
    const refusal: RefusalReason | undefined = isDraining()
      ? 'draining'
      : isSubscribed()
        ? undefined
        : 'broker'
    if (refusal) {
      metrics.refused(refusal)
      throw refuseStream()
    }
    const event = await events.find(eventId, MAX_EVENT_AGE_MS)
    const audience = event && audienceOf(event, credentials)
    if (!audience) throw notFound('Event not found.', { code: 'event_not_found' })
    return audience
  }
export type FindAudience = ReturnType<typeof makeFindAudience>
