import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Context,
} from '@opentelemetry/api'

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
export const extractContext = (carrier: object): Context => propagation.extract(ROOT_CONTEXT, carrier)

/** Runs `work` as part of the trace in `traceparent` (W3C Trace Context), or else of the active one. */
export const continueTrace = <T>(traceparent: string | undefined, work: () => T): T =>
  traceparent ? context.with(extractContext({ traceparent }), work) : work()

/** The id of the active trace, if any. */
export const currentTraceId = (): string | undefined => {
  const spanContext = trace.getActiveSpan()?.spanContext()
  return spanContext && isSpanContextValid(spanContext) ? spanContext.traceId : undefined
}
