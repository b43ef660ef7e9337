import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigError, readConfig, type ServiceConfig } from './config.ts'
import type { Health } from './health.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { createLogger, type Logger } from './logger.ts'
import { createMetrics, createMetricsServer, type Metrics } from './metrics.ts'
import type { z } from 'zod'

// In a burst connections wait until a busy process takes them in, instead of being refused. The kernel may allow less.
const BACKLOG = 4_096

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    // Kept connections fall idle one by one, as their last answers go out.
    const sweeping = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearInterval(sweeping)
      resolve()
    })
    server.closeIdleConnections()
  })

/** One process of ours: what every service has beside its own work. */
export interface Service {
  logger: Logger
  metrics: Metrics
  lifecycle: Lifecycle
  /** Opens the API and metrics ports; the service is up. */
  listen: (app: RequestListener, health: Health) => Promise<void>
}

export const createService = async (name: string, config: ServiceConfig): Promise<Service> => {
  const logger = createLogger(name, config.LOG_LEVEL)
  const metrics = createMetrics(name)
  const lifecycle = createLifecycle({
    logger,
    delayMs: config.SHUTDOWN_DELAY_MS,
    graceMs: config.SHUTDOWN_GRACE_MS,
  })
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT) {
    // Opened before all else, so that it is closed last: the end of other things may be a span.
    const { startTracing } = await import('./tracing/start-tracing.ts')
    const stop = startTracing({
      service: name,
      endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
      share: config.OTEL_TRACES_SAMPLER_ARG,
      logger,
    })
    lifecycle.onClose('traces', stop)
  }
  return {
    logger,
    metrics,
    lifecycle,
    listen: async (app, health) => {
      const server = createServer(
        // A 500 MB video over a phone's line takes many minutes: here only idleness ends a request.
        // Hundreds send at once: what waits in each one's buffers adds up.
        { requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 75_000, highWaterMark: 16_384 },
        app,
      )
      server.timeout = config.IDLE_TIMEOUT_MS
      const metricsServer = createMetricsServer(metrics)
      await listen(metricsServer, config.METRICS_PORT, config.HOST)
      await listen(server, config.PORT, config.HOST)
      lifecycle.onDrain(health.startDraining)
      lifecycle.onStop('http', () => closeServer(server))
      lifecycle.onClose('metrics', () => closeServer(metricsServer))
      logger.info({ port: portOf(server), metricsPort: portOf(metricsServer) }, 'listening')
    },
  }
}

/**
 * Reads the configuration and runs `start`; a missing or bad variable is named on standard error, and anything
 * that goes wrong before the service is up ends the process with status 1.
 */
export const runService = async <S extends z.ZodObject>(
  schema: S,
  environment: Readonly<Record<string, string | undefined>>,
  start: (config: z.infer<S>) => Promise<void>,
): Promise<void> => {
  try {
    await start(readConfig(schema, environment))
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error)
    process.exit(1)
  }
}
