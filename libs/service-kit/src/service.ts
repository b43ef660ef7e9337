import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Gauge } from 'prom-client'
import { createLifecycle, runPeriodically, systemClock, type Clock, type Lifecycle } from './lifecycle.ts'
import { ConfigError, readConfig, type ServiceConfig } from './config.ts'
import { createHealth, type Health } from './health.ts'
import { answerProtocolErrors, limitConnections, waitUntilTaken } from './http/connections.ts'
import { createLogger, type Logger } from './logger.ts'
import { createMetrics, createMetricsServer, type Metrics } from './metrics.ts'
import type { z } from 'zod'

// In a burst, connections wait until a busy process accepts them instead of being refused. The kernel may lower this.
const BACKLOG = 4_096

/**
 * How many sockets listen at the port of a service. Node accepts one connection of each in a turn of its loop: a process whose
 * turns take 100 ms would accept ten in a second, while hundreds of guests arrive. The kernel spreads connections evenly.
 */
const LISTENERS = process.platform === 'linux' ? 64 : 1

const listen = (server: Server, port: number, host: string, { reusePort = false } = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: BACKLOG, reusePort }, () => {
      server.off('error', reject)
      resolve()
    })
  })

/** Lets servers listen at the same port, and returns it. Rejects if another process listens there. */
const listenTogether = async (servers: readonly Server[], port: number, host: string): Promise<number> => {
  const [first, ...others] = servers
  if (!first) throw new Error('There is no server')
  // Another process of this user could share the port.
  const probe = createServer()
  await listen(probe, port, host)
  await closeServer(probe)
  await listen(first, port, host, { reusePort: others.length > 0 })
  for (const server of others) await listen(server, portOf(first), host, { reusePort: true })
  return portOf(first)
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    // Keep-alive connections become idle one by one, as their last responses end.
    const idleSweep = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearInterval(idleSweep)
      resolve()
    })
    server.closeIdleConnections()
  })

/** Where a service runs: in a process of its own, or in that of a test. */
export interface Host {
  clock: Clock
  /** Receives the log, line by line. Absent: standard output. */
  log?: { write: (line: string) => void }
  /** Called before the service connects to anything. */
  onStart?: (shutDown: Lifecycle['shutDown'], logger: Logger) => void
}

/** A service that listens. */
export interface RunningService {
  url: string
  metricsUrl: string
  stop: () => Promise<void>
}

/** What every service has besides its own work. */
export interface Service<C extends ServiceConfig = ServiceConfig> {
  name: string
  config: C
  clock: Clock
  logger: Logger
  /** Where its metrics are registered. */
  registry: Metrics
  lifecycle: Lifecycle
  /** Aborted when the service stops: what a task has left to do is done by its next run. */
  stopping: AbortSignal
  health: Health
  /** Runs `work` every `intervalMs` until the service stops, as `runPeriodically` does. */
  runEvery: (intervalMs: number, name: string, work: () => Promise<void>) => void
  /** Opens the API and metrics ports. */
  listen: (app: RequestListener) => Promise<RunningService>
}

/** Creates logger, metrics, lifecycle and, if configured, tracing of a service. */
export const createService = async <C extends ServiceConfig>(
  name: string,
  config: C,
  host: Host,
): Promise<Service<C>> => {
  const logger = createLogger(name, config.LOG_LEVEL, host.log)
  const registry = createMetrics(name)
  const health = createHealth()
  const taskFailures = new Gauge({
    name: 'periodic_task_failures',
    help: 'How often a periodic task, such as a sweep, has failed in a row',
    labelNames: ['task'] as const,
    registers: [registry],
  })
  const lifecycle = createLifecycle({
    logger,
    delayMs: config.SHUTDOWN_DELAY_MS,
    graceMs: config.SHUTDOWN_GRACE_MS,
  })
  const stopping = new AbortController()
  lifecycle.onDrain(() => stopping.abort(new Error('The service stops')))
  host.onStart?.(lifecycle.shutDown, logger)
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT) {
    // Registered first, so that it closes last: closing other parts may record spans.
    const { startTracing } = await import('./tracing/start-tracing.ts')
    const stop = startTracing({
      service: name,
      endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
      sampleRatio: config.OTEL_TRACES_SAMPLER_ARG,
      logger,
    })
    lifecycle.onClose('tracing', stop)
  }
  return {
    name,
    config,
    clock: host.clock,
    logger,
    registry,
    lifecycle,
    stopping: stopping.signal,
    health,
    runEvery: (intervalMs, task, work) => {
      taskFailures.set({ task }, 0)
      const onRun = (failures: number) => taskFailures.set({ task }, failures)
      lifecycle.onStop(task, runPeriodically(work, { name: task, intervalMs, logger, onRun }))
    },
    listen: async (app) => {
      // No requestTimeout: a 500 MB video takes many minutes on a phone's connection. `limitArrival` ends all others.
      // A small highWaterMark: hundreds of uploads at once each buffer that much.
      const options = {
        requestTimeout: 0,
        headersTimeout: 60_000,
        keepAliveTimeout: 75_000,
        highWaterMark: 16_384,
      }
      const servers = Array.from({ length: LISTENERS }, () => createServer(options, app))
      limitConnections(servers, config.MAX_CONNECTIONS, registry)
      for (const server of servers) {
        server.timeout = config.IDLE_TIMEOUT_MS
        answerProtocolErrors(server, logger)
      }
      const metricsServer = createMetricsServer(registry, health)
      await listen(metricsServer, config.METRICS_PORT, config.HOST)
      const port = await listenTogether(servers, config.PORT, config.HOST)
      lifecycle.onDrain(health.startDraining)
      lifecycle.onStop('http', async () => {
        await Promise.all(servers.map(closeServer))
        await waitUntilTaken(port, config.IDLE_TIMEOUT_MS)
      })
      lifecycle.onClose('metrics', () => closeServer(metricsServer))
      const metricsPort = portOf(metricsServer)
      logger.info({ port, metricsPort }, 'listening')
      return {
        url: `http://${config.HOST}:${port}`,
        metricsUrl: `http://${config.HOST}:${metricsPort}`,
        stop: () => lifecycle.shutDown('stop'),
      }
    },
  }
}

/**
 * A process that shuts down on SIGTERM, SIGINT, or the end of the process that started it with a channel, and then ends.
 * Further signals change nothing. An uncaught error ends it with status 1.
 */
const processHost: Host = {
  clock: systemClock,
  onStart: (shutDown, logger) => {
    const end = (reason: string): void => void shutDown(reason).finally(() => process.exit(0))
    process.on('SIGTERM', end)
    process.on('SIGINT', end)
    // `npm start` and the tests start services with a channel to them, which closes even if they are killed.
    process.once('disconnect', () => end('parent ended'))
    // It may have ended before.
    if ('connected' in process && !process.connected) end('parent ended')
    for (const event of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(event, (error: unknown) => {
        logger.fatal({ err: error }, event)
        process.exit(1)
      })
  },
}

/**
 * Reads the configuration and starts a service as this process. An error before the service has started is printed to
 * standard error and ends the process with status 1.
 */
export const runService = async <S extends z.ZodObject>(
  schema: S,
  environment: Readonly<Record<string, string | undefined>>,
  start: (config: z.infer<S>, host: Host) => Promise<unknown>,
): Promise<void> => {
  try {
    await start(readConfig(schema, environment), processHost)
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error)
    process.exit(1)
  }
}
