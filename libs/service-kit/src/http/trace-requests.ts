import { SpanStatusCode } from '@opentelemetry/api'
import type { RequestHandler } from 'express'
import { isProbe } from '../health.ts'
import { startSpan, withinSpan } from '../tracing/spans.ts'

/**
 * A span for each call. It goes on with the caller's trace, unless the caller is a stranger, who could have all
 * of his calls recorded.
 */
export const traceRequests =
  (trustCaller: boolean): RequestHandler =>
  (request, response, next) => {
    const { method, path } = request
    if (isProbe(path)) {
      next()
      return
    }
    const span = startSpan(method, {
      kind: 'server',
      parent: trustCaller ? request.headers : 'none',
      attributes: { 'http.request.method': method, 'url.path': path, 'url.scheme': request.protocol },
    })
    response.once('close', () => {
      const route = response.locals.route as string | undefined
      if (route) span.updateName(route).setAttribute('http.route', route.replace(/^\S+ /, ''))
      if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode)
      if (!response.writableFinished) span.setAttribute('error.type', 'caller_left')
      else if (response.statusCode >= 500)
        span.setAttribute('error.type', String(response.statusCode)).setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
    withinSpan(span, next)
  }
