import { connectRedis, createService, type Host, type RunningService } from '@confetti/service-kit'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createEndlessResponses } from './proxy.ts'

/** Starts the service with its connections, and resolves when it listens. */
export const startGateway = async (config: Config, host: Host): Promise<RunningService> => {
  // Its health has no checks: without Redis each replica counts on its own, and without one service the others respond.
  const service = await createService('gateway', config, host)
  const redis = connectRedis(config.REDIS_URL, service)
  const endlessResponses = createEndlessResponses()
  service.lifecycle.onStop('endless responses', () => endlessResponses.drain(config.STREAM_DRAIN_MS))
  return service.listen(createApp(service, { redis, endlessResponses }))
}
