import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api'
import { AppError } from '../errors.ts'
import { currentContext } from '../request-context.ts'

/** W3C Trace Context, as headers of a request or attributes of a message. */
interface TraceContext {
  traceparent?: string
  tracestate?: string
}

/** The trace context to send with a request or message; empty while tracing is off. */
export const injectTraceContext = (): TraceContext => {
  const carrier: TraceContext = {}
  propagation.inject(context.active(), carrier)
  return carrier
}

/** The context of the trace in `carrier` (headers or message attributes), or a root context. */
const extractContext = (carrier: object): Context => propagation.extract(ROOT_CONTEXT, carrier)

/** Runs `work` as part of the trace in `traceparent` (W3C Trace Context), or else of the active one. */
export const continueTrace = <T>(traceparent: string | undefined, work: () => T): T =>
  traceparent ? context.with(extractContext({ traceparent }), work) : work()

/** The id of the active trace, if any. */
export const currentTraceId = (): string | undefined => {
  const spanContext = trace.getActiveSpan()?.spanContext()
  return spanContext && isSpanContextValid(spanContext) ? spanContext.traceId : undefined
}

interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer'
  attributes?: Attributes
  /** Headers of a request or attributes of a message; `'none'` starts a new trace. Default: the active span. */
  parent?: object | 'none'
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

const parentOf = (parent: SpanOptions['parent']): Context => {
  if (parent === undefined) return context.active()
  return parent === 'none' ? ROOT_CONTEXT : extractContext(parent)
}

/** Records an error on a span. Errors of the client (below 500) do not mark the span as failed. */
export const recordSpanError = (span: Span, error: unknown): void => {
  if (error instanceof AppError) span.setAttribute('error.type', error.code)
  else span.setAttribute('error.type', error instanceof Error ? error.name : 'thrown')
  if (error instanceof AppError && error.status < 500) return
  span.setStatus({
    code: SpanStatusCode.ERROR,
    message: error instanceof Error ? error.message : String(error),
  })
}

/** Starts a span, which the caller must end. Costs almost nothing while tracing is off. */
export const startSpan = (name: string, { kind, attributes, parent }: SpanOptions = {}): Span => {
  const { requestId, uploadId } = currentContext()
  const options = {
    kind: kind ? kinds[kind] : SpanKind.INTERNAL,
    attributes: {
      ...(requestId && { 'confetti.request_id': requestId }),
      ...(uploadId && { 'confetti.upload_id': uploadId }),
      ...attributes,
    },
  }
  // Not cached: a tracer from before `startTracing` would never record anything.
  return trace.getTracer('confetti').startSpan(name, options, parentOf(parent))
}

/** Runs `work` with `span` active, so that its spans, calls, messages and log lines belong to it. */
export const withActiveSpan = <T>(span: Span, work: () => T): T =>
  context.with(trace.setSpan(context.active(), span), work)

/** Runs `work` in a new span, ends the span with it, and records an error that it throws. */
export const inSpan = async <T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> => {
  const span = startSpan(name, options)
  try {
    return await withActiveSpan(span, () => work(span))
  } catch (error) {
    recordSpanError(span, error)
    throw error
  } finally {
    span.end()
  }
}
