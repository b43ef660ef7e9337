import type { RequestHandler } from 'express'
import { timedOut } from '../errors.ts'

/** Rejects a request that has not arrived whole after `timeoutMs`, however steadily its bytes arrive. */
export const limitArrival =
  (timeoutMs: number): RequestHandler =>
  (request, response, next) => {
    const timer = setTimeout(() => {
      if (!request.complete)
        next(timedOut('The request took too long to arrive. Please check the connection and try again.'))
    }, timeoutMs)
    response.once('close', () => clearTimeout(timer))
    next()
  }
