import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { LiveEventName } from '@confetti/contracts'
import { eventually } from './eventually.ts'

interface ReceivedEvent {
  id: string
  name: LiveEventName
  data: unknown
  /** When it arrived, in ms since 1970. */
  at: number
}

export interface LiveClient {
  status: number
  headers: IncomingMessage['headers']
  events: ReceivedEvent[]
  /** Everything that has arrived. */
  text: () => string
  names: () => LiveEventName[]
  /** Resolves when the response has ended or was cut off. */
  closed: Promise<unknown>
  isClosed: () => boolean
  /** Calls `listener` with each event so far, and with each later one. */
  onEvent: (listener: (event: ReceivedEvent) => void) => void
  waitFor: (name: LiveEventName, uploadId?: string) => Promise<ReceivedEvent>
  disconnect: () => void
}

interface Options {
  token?: string
  wallKey?: string
  lastEventId?: string
  method?: string
}

const parseFrame = (frame: string): ReceivedEvent | undefined => {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1]
  const name = field('event')
  return name === undefined
    ? undefined
    : {
        id: field('id') ?? '',
        name: name as LiveEventName,
        data: JSON.parse(field('data') ?? ''),
        at: Date.now(),
      }
}

/** Follows an event at `url`, the live service or the gateway. */
export const followLiveOnce = async (
  url: string,
  eventId: string,
  { token, wallKey, lastEventId, method = 'GET' }: Options = {},
): Promise<LiveClient> => {
  const outgoing: ClientRequest = request(new URL(`/api/live/${eventId}`, url), {
    agent: false,
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(wallKey && { 'x-wall-key': wallKey }),
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
  })
  outgoing.end()
  const [response] = (await once(outgoing, 'response', { signal: AbortSignal.timeout(60_000) })) as [
    IncomingMessage,
  ]
  outgoing.on('error', () => undefined)
  let text = ''
  let rest = ''
  const events: ReceivedEvent[] = []
  const listeners: ((event: ReceivedEvent) => void)[] = []
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    const frames = (rest + chunk).split('\n\n')
    rest = frames.pop() ?? ''
    for (const event of frames.map(parseFrame).filter((each) => each !== undefined)) {
      events.push(event)
      for (const listener of listeners) listener(event)
    }
  })
  response.on('error', () => undefined)
  let isClosed = false
  const closed = new Promise<void>((resolve) =>
    response.once('close', () => {
      isClosed = true
      resolve()
    }),
  )
  const matches = (name: LiveEventName, uploadId?: string) => (event: ReceivedEvent) =>
    event.name === name && (!uploadId || (event.data as { uploadId?: string }).uploadId === uploadId)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    text: () => text,
    names: () => events.map(({ name }) => name),
    closed,
    isClosed: () => isClosed,
    onEvent: (listener) => {
      events.forEach(listener)
      listeners.push(listener)
    },
    waitFor: (name, uploadId) =>
      eventually(() => events.find(matches(name, uploadId)), `${name} ${uploadId ?? ''}`),
    disconnect: () => outgoing.destroy(),
  }
}

/** Follows an event; tries again while the service is not connected to the broker yet. */
export const followLive = (url: string, eventId: string, options?: Options): Promise<LiveClient> =>
  eventually(async () => {
    const client = await followLiveOnce(url, eventId, options)
    return client.status !== 503 && client
  }, 'a response other than 503')
