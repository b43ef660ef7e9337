import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'

/**
 * For an answer that may come before the end of its request, as refusals do: the connection is not closed right
 * behind it, even if the caller wished so, for closing on bytes still unread resets it and the answer is lost.
 */
export const answerAhead = (request: IncomingMessage, response: ServerResponse): void => {
  if (!request.complete && !response.headersSent) response.setHeader('Connection', 'keep-alive')
}

/**
 * After an answer ahead of the end of its request: reads on and throws away, as many senders look for an answer
 * only when they are done, but for `lingerMs` at most.
 */
export const drainAfterAnswer =
  (lingerMs: number): RequestHandler =>
  (request, response, next) => {
    const wantsClose = !response.shouldKeepAlive
    response.once('finish', () => {
      const { socket } = request
      const timer = setTimeout(() => socket.destroy(), lingerMs)
      const done = (): void => {
        clearTimeout(timer)
        if (wantsClose) socket.end()
      }
      if (request.complete || request.destroyed) {
        done()
        return
      }
      request.once('close', done)
      request.unpipe()
      request.resume()
    })
    next()
  }
