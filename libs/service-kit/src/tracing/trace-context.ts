import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Context,
} from '@opentelemetry/api'

/** W3C Trace Context, as it travels: as headers of a call, as attributes of a fact. */
interface TraceContext {
  traceparent?: string
  tracestate?: string
}

/** What to send along, so that whoever gets it continues the trace. Empty when nothing is traced. */
export const traceContext = (): TraceContext => {
  const carrier: TraceContext = {}
  propagation.inject(context.active(), carrier)
  return carrier
}

/** Where a trace goes on that came from elsewhere; a new one begins where none came. */
export const continuing = (came: object): Context => propagation.extract(ROOT_CONTEXT, came)

/** The id of the trace that is being worked on, if any. */
export const currentTraceId = (): string | undefined => {
  const spanContext = trace.getActiveSpan()?.spanContext()
  return spanContext && isSpanContextValid(spanContext) ? spanContext.traceId : undefined
}
