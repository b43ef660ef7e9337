import { createServer, type Server } from 'node:http'
import express from 'express'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Health } from './health.ts'

export type Metrics = Registry

/**
 * A timer of that period measures how late the event loop is; the values include the period. The default, 10 ms, wakes an
 * idle process 100 times a second.
 */
const EVENT_LOOP_PRECISION_MS = 50

let processMetrics: Registry | undefined

/**
 * Returns the metrics of the process. They are registered once, because their timer and observer run until the process ends,
 * and tests start many services in one process.
 */
const getProcessMetrics = (): Registry => {
  if (!processMetrics) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS })
  }
  return processMetrics
}

export const createMetrics = (service: string): Metrics => {
  const registry = Registry.merge([getProcessMetrics()])
  registry.setDefaultLabels({ service })
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
