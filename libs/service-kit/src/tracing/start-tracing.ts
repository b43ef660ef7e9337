import { hostname } from 'node:os'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Logger } from '../logger.ts'

/** Logs once when exports start to fail, and once when they succeed again. */
const logExportFailures = (exporter: SpanExporter, logger: Logger): SpanExporter => {
  let failing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS
        if (failed && !failing) logger.warn({ err: result.error }, 'span export failed')
        if (!failed && failing) logger.info('span export recovered')
        failing = failed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

/**
 * Starts recording spans and exporting them in the background, in batches. While the receiver is unavailable, 2,048
 * spans are buffered and further ones dropped. Returns a function that exports what is buffered and stops.
 */
export const startTracing = ({
  service,
  endpoint,
  sampleRatio,
  logger,
}: {
  service: string
  /** Base URL of an OTLP receiver over HTTP. */
  endpoint: string
  /** Ratio of the traces that start here, from 0 to 1; for others the caller's decision counts. */
  sampleRatio: number
  logger: Logger
}): (() => Promise<void>) => {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'host.name': hostname() }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    // The URL of a request may be 16 kB long.
    spanLimits: { attributeValueLengthLimit: 1_000 },
    spanProcessors: [new BatchSpanProcessor({ exporter: logExportFailures(exporter, logger) })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  // A failed export has been logged already.
  return () => provider.shutdown().catch(() => undefined)
}
