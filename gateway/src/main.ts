import { connectRedis, createHealth, createService, runService } from '@confetti/service-kit'
import { createApp } from './app.ts'
import { configSchema } from './config.ts'

await runService(configSchema, process.env, async (config) => {
  const { logger, metrics, lifecycle, listen } = await createService('gateway', config)
  const redis = connectRedis(config.REDIS_URL, { logger, metrics, lifecycle })
  // No checks: without Redis each replica counts on its own, and without one service the others still respond.
  const health = createHealth({})
  await listen(createApp({ config, redis, logger, metrics, health }), health)
})
