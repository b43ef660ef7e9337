import { messagingConfig } from '@confetti/messaging'
import {
  nonNegativeMilliseconds,
  positiveMilliseconds,
  serviceConfig,
  tokenVerifierConfig,
} from '@confetti/service-kit'
import { z } from 'zod'

const count = z.coerce.number().int().positive()

export const configSchema = z.object({
  ...serviceConfig.shape,
  ...messagingConfig.shape,
  ...tokenVerifierConfig.shape,
  EVENTS_URL: z.url(),
  /** Twice what a replica has by itself, so that one of two can take the streams of the other. */
  MAX_STREAMS: count.default(4_000),
  MAX_STREAMS_PER_EVENT: count.default(500),
  /** Of how many events a replica remembers who may follow them: at least those of an evening. */
  MAX_CACHED_EVENTS: count.default(10_000),
  /** A stream whose reader leaves more than this unread is dropped. */
  MAX_BUFFERED_BYTES: count.default(65_536),
  /** Less than the idle timeouts of all proxies in between. */
  HEARTBEAT_INTERVAL_MS: positiveMilliseconds.default(20_000),
  /** How long `counts` adds up what happens. */
  COUNTS_INTERVAL_MS: positiveMilliseconds.default(3_000),
  /** How often it is checked whether each stream is still allowed. */
  RECHECK_INTERVAL_MS: positiveMilliseconds.default(15_000),
  /** How long clients wait before they connect again: from half of it to one and a half times. */
  RECONNECT_DELAY_MS: positiveMilliseconds.default(2_000),
  /** The time over which a shutdown spreads the ends of the streams. */
  STREAM_DRAIN_MS: nonNegativeMilliseconds.default(10_000),
})
export type Config = z.infer<typeof configSchema>
