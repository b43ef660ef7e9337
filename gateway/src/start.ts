import {
  connectRedis,
  createHealth,
  createService,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createEndlessResponses } from './proxy.ts'

/** Starts the service with its connections, and resolves when it listens. */
export const startGateway = async (config: Config, host: Host): Promise<RunningService> => {
  const { logger, metrics, lifecycle, listen } = await createService('gateway', config, host)
  const redis = connectRedis(config.REDIS_URL, { logger, metrics, lifecycle })
  // No checks: without Redis each replica counts on its own, and without one service the others still respond.
  const health = createHealth({})
  const endlessResponses = createEndlessResponses()
  lifecycle.onStop('endless responses', () => endlessResponses.drain(config.STREAM_DRAIN_MS))
  const { clock } = host
  return listen(createApp({ config, redis, endlessResponses, clock, logger, metrics, health }), health)
}
