import type { LiveEvent } from '@confetti/contracts'

// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

export const formatEvent = (id: string, { name, data }: LiveEvent): Buffer =>
  Buffer.from(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)

/** Says how long to wait before the next connection after this one has ended. */
export const formatRetry = (milliseconds: number): Buffer =>
  Buffer.from(`retry: ${Math.round(milliseconds)}\n\n`)

/** A comment, which keeps the connection open and shows the client that it is alive. */
export const heartbeat: Buffer = Buffer.from(': heartbeat\n\n')
