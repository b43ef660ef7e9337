import type { ServerResponse } from 'node:http'
import { formatRetry } from './frames.ts'
import type { CloseReason, Stream } from './stream.ts'

export const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // For nginx and those that follow it: they must not wait for more.
  'X-Accel-Buffering': 'no',
}

interface Options {
  maxBufferedBytes: number
  reconnectDelayMs: number
  onClose: (stream: Stream, reason: CloseReason) => void
}

/** Begins a response of server-sent events. */
export const openEventStream = (
  response: ServerResponse,
  follower: Pick<Stream, 'eventId' | 'audience' | 'credentials' | 'authorization'>,
  { maxBufferedBytes, reconnectDelayMs, onClose }: Options,
): Stream => {
  let closeReason: CloseReason = 'client'
  const stream: Stream = {
    ...follower,
    write: (bytes) => {
      if (response.writableEnded || response.destroyed) return
      // Before writing: a burst of events is not the fault of the reader.
      if (response.writableLength <= maxBufferedBytes) {
        response.write(bytes)
        return
      }
      closeReason = 'slow'
      response.destroy()
    },
    end: (reason) => {
      if (response.writableEnded || response.destroyed) return
      closeReason = reason
      response.end()
    },
  }
  response.once('close', () => onClose(stream, closeReason))
  response.writeHead(200, streamHeaders)
  // A random delay, so that clients whose connections end together do not return together.
  response.write(formatRetry(reconnectDelayMs * (0.5 + Math.random())))
  return stream
}
