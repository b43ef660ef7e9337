import type { ServerResponse } from 'node:http'
import type { EventCopy, LiveEvent } from '@confetti/contracts'
import { hasWallKey, type Principal } from '@confetti/service-kit'

/** Members see everything that happens, the live wall only what guests may see. */
export type Audience = 'member' | 'wall'

/** What a request proves about its sender. */
export interface Credentials {
  principal?: Principal | undefined
  wallKey?: string | undefined
}

/** As whom somebody may follow an event; undefined if they may not. */
export const audienceOf = (event: EventCopy, { principal, wallKey }: Credentials): Audience | undefined => {
  if (principal?.role === 'admin' || (principal && event.organisers.includes(principal.userId)))
    return 'member'
  return wallKey !== undefined && hasWallKey(event, wallKey) ? 'wall' : undefined
}

// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

export const formatEvent = (id: string, { name, data }: LiveEvent): Buffer =>
  Buffer.from(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)

/** Says how long to wait before the next connection after this one has ended. */
const formatRetry = (milliseconds: number): Buffer => Buffer.from(`retry: ${Math.round(milliseconds)}\n\n`)

/** A comment, which keeps the connection open and shows the client that it is alive. */
export const heartbeat: Buffer = Buffer.from(': heartbeat\n\n')

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

/** Why a stream has ended. */
export const closeReasons = ['client', 'slow', 'unauthorized', 'unavailable', 'drained'] as const
export type CloseReason = (typeof closeReasons)[number]

/** The open response of one client that follows an event. */
export interface Stream {
  eventId: string
  audience: Audience
  credentials: Credentials
  /** The Authorization header, to check the token again. */
  authorization: string | undefined
  /** Sends bytes. A client that does not read fast enough is dropped, and resumes by Last-Event-ID. */
  write: (bytes: Buffer) => void
  /** Ends the response after what has been written. */
  end: (reason: CloseReason) => void
}
