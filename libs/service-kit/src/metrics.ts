import { createServer, type Server } from 'node:http'
import express from 'express'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Health } from './health.ts'

export type Metrics = Registry

export const createMetrics = (service: string): Metrics => {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Measures requests from their headers to the end of the response, by route and status. */
export const createRequestTimer = (metrics: Metrics) =>
  new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from the headers of a request to the end of its response',
    labelNames: ['route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
    registers: [metrics],
  })

/**
 * Serves Prometheus metrics at `/metrics`, on a port that is not public, and the health routes: probes must get through
 * when the public port has as many connections as it may have.
 */
export const createMetricsServer = (metrics: Metrics, health: Health): Server => {
  const app = express()
  app.disable('x-powered-by')
  health.mount(app)
  app.get('/metrics', async (_, response) => {
    response.type(metrics.contentType).send(await metrics.metrics())
  })
  return createServer(app)
}
