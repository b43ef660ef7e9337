import {
  context,
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
import { continuing } from './trace-context.ts'

interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer'
  attributes?: Attributes
  /** What came with a request or a fact; `'none'` begins a trace. What is being worked on, unless said. */
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
  return parent === 'none' ? ROOT_CONTEXT : continuing(parent)
}

/** Marks a span as one that went wrong. A refusal is only named: nothing is wrong where a guest is told no. */
export const failSpan = (span: Span, error: unknown): void => {
  if (error instanceof AppError) span.setAttribute('error.type', error.code)
  else span.setAttribute('error.type', error instanceof Error ? error.name : 'thrown')
  if (error instanceof AppError && error.status < 500) return
  span.setStatus({
    code: SpanStatusCode.ERROR,
    message: error instanceof Error ? error.message : String(error),
  })
}

/** Begins a span that its caller ends. Costs next to nothing where nothing is traced. */
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
  // Asked for each time: what is traced before `startTracing` would otherwise never be.
  return trace.getTracer('confetti').startSpan(name, options, parentOf(parent))
}

/** Runs `work` as a part of `span`: its own spans, calls and facts belong to it, and its log lines name it. */
export const withinSpan = <T>(span: Span, work: () => T): T =>
  context.with(trace.setSpan(context.active(), span), work)

/** Runs `work` as a span of its own, which ends with it, and is failed when that throws. */
export const inSpan = async <T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> => {
  const span = startSpan(name, options)
  try {
    return await withinSpan(span, () => work(span))
  } catch (error) {
    failSpan(span, error)
    throw error
  } finally {
    span.end()
  }
}
