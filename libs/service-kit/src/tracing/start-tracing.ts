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

/** Says once that spans are not taken, and once that they are again. */
const sayWhenAway = (exporter: SpanExporter, logger: Logger): SpanExporter => {
  let away = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS
        if (failed && !away) logger.warn({ err: result.error }, 'spans are not taken')
        if (!failed && away) logger.info('spans are taken again')
        away = failed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

/**
 * From now on spans are recorded and sent, in batches and in the background. While nobody takes them 2,048 wait,
 * and further ones are dropped. Returns how to stop: what waits is sent, if it is taken.
 */
export const startTracing = ({
  service,
  endpoint,
  share,
  logger,
}: {
  service: string
  /** Base address of an OTLP receiver, over HTTP. */
  endpoint: string
  /** Of the traces that begin here, from 0 to 1; those that come from elsewhere are as they were begun. */
  share: number
  logger: Logger
}): (() => Promise<void>) => {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'host.name': hostname() }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    // A stranger's address may be 16 kB long.
    spanLimits: { attributeValueLengthLimit: 1_000 },
    spanProcessors: [new BatchSpanProcessor({ exporter: sayWhenAway(exporter, logger) })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  // Who does not take the last spans has been named already.
  return () => provider.shutdown().catch(() => undefined)
}
