import type { Service, VerifyToken } from '@confetti/service-kit'
import type { Config } from './config.ts'
import type { EventCache } from './following/event-cache.ts'
import type { Streams } from './following/streams.ts'
import type { LiveMetrics } from './metrics.ts'

/** What following events works with. `start.ts` makes it once. */
export interface Deps extends Service<Config> {
  events: EventCache
  streams: Streams
  verifyToken: VerifyToken
  isDraining: () => boolean
  /** Whether messages arrive. Without them a stream would be silent, and its page would not poll. */
  isSubscribed: () => boolean
  metrics: LiveMetrics
}
