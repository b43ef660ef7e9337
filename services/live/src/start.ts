import { serviceRoutes } from '@confetti/contracts'
import { startConsumers } from '@confetti/messaging'
import {
  createJwksTokenVerifier,
  createService,
  createServiceApp,
  runPeriodically,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import type { Config } from './config.ts'
import { createEventCache } from './following/event-cache.ts'
import { createFollowing } from './following/following.ts'
import { liveRoutes } from './following/routes.ts'
import { createStreams } from './following/streams.ts'
import { createLiveMetrics } from './metrics.ts'

/** Starts the service with its connections, and resolves when it listens. */
export const startLive = async (config: Config, host: Host): Promise<RunningService> => {
  const service = await createService('live', config, host)
  const { clock, logger, lifecycle } = service
  const metrics = createLiveMetrics(service)
  const events = createEventCache(config)
  const streams = createStreams(config, metrics, {
    follow: async (eventId) => {
      await broker.follow(eventId)
      // What is known of it may be from before.
      events.clear(eventId)
    },
    unfollow: (eventId) => broker.unfollow(eventId),
  })
  const verifyToken = createJwksTokenVerifier(config, clock)
  const following = createFollowing({
    ...service,
    events,
    streams,
    verifyToken,
    isDraining: service.health.isDraining,
    isSubscribed: () => broker.isConnected(),
    metrics,
  })
  service.health.check('broker', () =>
    broker.isConnected() ? Promise.resolve() : Promise.reject(new Error('is disconnected')),
  )
  const broker = startConsumers(service, { subscription: following.subscription })
  // Until the last stream has ended.
  const rechecks = {
    'token recheck': following.recheckTokens,
    'audience recheck': following.recheckAudiences,
  }
  for (const [name, recheck] of Object.entries(rechecks))
    lifecycle.onClose(
      name,
      runPeriodically(recheck, { name, intervalMs: config.RECHECK_INTERVAL_MS, logger }),
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

  const app = createServiceApp(service, {
    routes: serviceRoutes.live,
    handlers: liveRoutes(config, streams, following),
    verifyToken,
    // No route has a body.
    maxJsonBytes: 0,
  })
  return service.listen(app)
}
