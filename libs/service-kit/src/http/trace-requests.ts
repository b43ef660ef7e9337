import { downloadArchive } from '@confetti/contracts'
import { SpanStatusCode } from '@opentelemetry/api'
import type { RequestHandler } from 'express'
import { isProbe } from '../health.ts'
import { startSpan, withActiveSpan } from '../tracing/spans.ts'

const [linkPrefix = ''] = downloadArchive.path.split('{')

/** The path of a request, for logs and traces: without the token of a link, which is all that its user needs. */
export const loggablePath = (path: string): string =>
  path.toLowerCase().startsWith(linkPrefix) ? `${linkPrefix}...` : path

/**
 * Records a span for each request. It continues the caller's trace only if the caller is trusted: others could force
 * all of their requests to be sampled.
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
      attributes: {
        'http.request.method': method,
        'url.path': loggablePath(path),
        'url.scheme': request.protocol,
      },
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
    withActiveSpan(span, next)
  }
