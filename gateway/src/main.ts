import { connectRedis, createHealth, createService, runService } from '@confetti/service-kit'
import { createApp } from './app.ts'
import { config } from './config.ts'

await runService(config, process.env, async (config) => {
  const service = await createService('gateway', config)
  const { logger, metrics, lifecycle } = service
  const redis = connectRedis(config.REDIS_URL, logger)
  lifecycle.onClose('redis', () => {
    redis.disconnect()
    return Promise.resolve()
  })
  // Alive is ready: without Redis each replica counts for itself, and without a service the others still answer.
  const health = createHealth({})
  await service.listen(createApp({ config, redis, logger, metrics, health }), health)
})
