import { serviceRoutes } from '@confetti/contracts'
import { startConsumers } from '@confetti/messaging'
import {
  createHealth,
  createJwksTokenVerifier,
  createService,
  createServiceApp,
  fetchEventCopy,
  runPeriodically,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import type { Config } from './config.ts'
import { followingSubscription } from './following/consumers.ts'
import { createEventCache } from './following/event-cache.ts'
import { createFollowing } from './following/following.ts'
import { liveRoutes } from './following/routes.ts'
import { createStreams } from './following/streams.ts'
import { createLiveMetrics } from './metrics.ts'

/** Starts the service with its connections, and resolves when it listens. */
export const startLive = async (config: Config, host: Host): Promise<RunningService> => {
  const { logger, metrics: registry, lifecycle, listen } = await createService('live', config, host)
  const { clock } = host
  const metrics = createLiveMetrics({ registry, maxStreams: config.MAX_STREAMS, clock })
  const events = createEventCache({ fetchEvent: (eventId) => fetchEventCopy(config.EVENTS_URL, eventId) })
  const streams = createStreams({
    maxStreams: config.MAX_STREAMS,
    maxStreamsPerEvent: config.MAX_STREAMS_PER_EVENT,
    countsIntervalMs: config.COUNTS_INTERVAL_MS,
    metrics,
  })
  const verifyToken = createJwksTokenVerifier(config, clock)
  const following = createFollowing({
    streams,
    events,
    verifyToken,
    isDraining: () => health.isDraining(),
    isSubscribed: () => broker.isConnected(),
    metrics,
    logger,
  })
  const broker = startConsumers({
    config,
    service: 'live',
    subscription: followingSubscription({ streams, events, following, metrics }),
    metrics: registry,
    logger,
    lifecycle,
  })
  lifecycle.onClose(
    'recheck',
    runPeriodically(following.recheckStreams, {
      name: 'recheck',
      intervalMs: config.RECHECK_INTERVAL_MS,
      logger,
    }),
  )
  // Without jitter: proxies and clients count on the interval.
  const heartbeat = setInterval(() => {
    // Without messages a stream is silent: its client must notice, and poll.
    if (broker.isConnected()) streams.sendHeartbeat()
  }, config.HEARTBEAT_INTERVAL_MS)
  lifecycle.onClose('heartbeat', () => {
    clearInterval(heartbeat)
    return Promise.resolve()
  })
  lifecycle.onStop('streams', () => streams.drain(config.STREAM_DRAIN_MS))

  const health = createHealth({
    broker: () => (broker.isConnected() ? Promise.resolve() : Promise.reject(new Error('is disconnected'))),
  })
  const app = createServiceApp({
    routes: serviceRoutes.live,
    handlers: liveRoutes({
      findAudience: following.findAudience,
      streams,
      maxBufferedBytes: config.MAX_BUFFERED_BYTES,
      reconnectDelayMs: config.RECONNECT_DELAY_MS,
    }),
    verifyToken,
    // No route has a body.
    maxJsonBytes: 0,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    logger,
    metrics: registry,
    health,
  })
  return listen(app, health)
}
