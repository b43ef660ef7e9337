import express, { type RequestHandler } from 'express'
import { tooLarge } from '../errors.ts'

/**
 * Parses a JSON body. Rejects it as soon as it exceeds `maxBytes`; express.json alone reads such a body to its end before
 * it rejects it.
 */
export const readJson = (maxBytes: number): RequestHandler => {
  const parse = express.json({ limit: maxBytes })
  return (request, response, next) => {
    let bytes = 0
    let isSettled = false
    const settle = (error?: unknown): void => {
      if (isSettled) return
      isSettled = true
      request.off('data', count)
      next(error)
    }
    const count = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > maxBytes) settle(tooLarge('The request is too large.'))
    }
    request.on('data', count)
    parse(request, response, settle)
  }
}
