import { connectRedis, createHealth, createService, runService } from '@confetti/service-kit'
import { createApp } from './app.ts'
import { configSchema } from './config.ts'
import { createEndlessResponses } from './endless-responses.ts'

await runService(configSchema, process.env, async (config) => {
  const { logger, metrics, lifecycle, listen } = await createService('gateway', config)
  const redis = connectRedis(config.REDIS_URL, { logger, metrics, lifecycle })
  // No checks: without Redis each replica counts on its own, and without one service the others still respond.
  const health = createHealth({})
  const endlessResponses = createEndlessResponses()
  lifecycle.onStop('endless responses', () => endlessResponses.drain(config.STREAM_DRAIN_MS))
  await listen(createApp({ config, redis, endlessResponses, logger, metrics, health }), health)
})
