import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type Metrics = Registry

export const createMetrics = (service: string): Metrics => {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Seconds from a request's first byte to the end of its answer, by route and status. */
export const createRequestTimer = (metrics: Metrics) =>
  new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from the first byte of a request to the end of its answer',
    labelNames: ['route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    registers: [metrics],
  })

/** Prometheus text at `/metrics`, on a port of its own that no guest can reach. */
export const createMetricsServer = (metrics: Metrics): Server =>
  createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
