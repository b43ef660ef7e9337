import type { IncomingMessage, ServerResponse } from 'node:http'
import { MB } from '@confetti/contracts'
import type { RequestHandler } from 'express'

/** How much of a body is read and discarded after its response. */
export interface DrainLimits {
  timeoutMs: number
  maxBytes: number
}

/** For a body that is not media: more than any that a service accepts. */
export const jsonDrainLimits: DrainLimits = { timeoutMs: 2_000, maxBytes: MB }

/**
 * For a response that may be sent before the request has ended, such as a rejection: keeps the connection open, even if
 * the client asked to close it. Closing a connection with unread data resets it, and the response is lost.
 */
export const keepConnectionOpen = (request: IncomingMessage, response: ServerResponse): void => {
  if (!request.complete && !response.headersSent) response.setHeader('Connection', 'keep-alive')
}

/**
 * After a response that was sent before the request had ended, reads and discards the rest of the request, because many
 * clients read a response only after sending everything. Stops reading after `maxBytes`, and closes the connection after
 * `timeoutMs`.
 */
export const drainAfterResponse =
  ({ timeoutMs, maxBytes }: DrainLimits): RequestHandler =>
  (request, response, next) => {
    const shouldClose = !response.shouldKeepAlive
    response.once('finish', () => {
      const { socket } = request
      if (request.complete || request.destroyed) {
        if (shouldClose) socket.end()
        return
      }
      const timer = setTimeout(() => socket.destroy(), timeoutMs)
      request.once('close', () => {
        clearTimeout(timer)
        if (shouldClose) socket.end()
      })
      let bytes = 0
      request.unpipe()
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxBytes) request.pause()
      })
      request.resume()
    })
    next()
  }
