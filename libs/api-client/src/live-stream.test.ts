import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveEvent } from '@confetti/contracts'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { openLiveStream, type LiveStatus } from './live-stream.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

let handler: Handler = () => undefined
const requests: IncomingMessage[] = []
const server = createServer((request, response) => {
  requests.push(request)
  handler(request, response)
})
let baseUrl = ''
let controller = new AbortController()

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  controller.abort()
  controller = new AbortController()
  requests.length = 0
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await sleep(10)
}

const beginStream = (response: ServerResponse, text: string): void => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
  // A short delay before the next connection.
  response.write(`retry: 1\n\n${text}`)
}

const follow = (onUnauthorized?: () => Promise<boolean>) => {
  const events: LiveEvent[] = []
  const statuses: LiveStatus[] = []
  let token = 'first'
  openLiveStream({
    baseUrl,
    eventId: 'e1',
    headers: () => ({ Authorization: `Bearer ${token}` }),
    ...(onUnauthorized && {
      onUnauthorized: () => {
        token = 'second'
        return onUnauthorized()
      },
    }),
    onEvent: (event) => events.push(event),
    onStatus: (status) => statuses.push(status),
    signal: controller.signal,
  })
  return { events, statuses }
}

test('When events arrive in pieces, then each is reported once, and comments and unknown ones are not', async () => {
  const text =
    'id: a-1\nevent: reset\ndata: {}\n\n: heartbeat\n\nid: a-2\r\nevent: upload.added\r\ndata: {"uploadId":\r\ndata: "ü"}\r\n\r\nevent: other\ndata: 1\n\n'
  handler = (_, response) => {
    beginStream(response, '')
    void (async () => {
      for (const byte of Buffer.from(text)) {
        response.write(Buffer.of(byte))
        await sleep(0)
      }
    })()
  }
  const { events, statuses } = follow()
  await until(() => events.length === 2)
  expect(events).toEqual([
    { name: 'reset', data: {} },
    { name: 'upload.added', data: { uploadId: 'ü' } },
  ])
  expect(statuses).toEqual(['closed', 'open'])
  expect(requests[0]).toMatchObject({
    url: '/api/live/e1',
    headers: { authorization: 'Bearer first', accept: 'text/event-stream' },
  })
})

test('When the stream ends or is cut off, then it continues after the last event', async () => {
  handler = (_, response) => {
    beginStream(response, `id: a-${requests.length}\nevent: event.changed\ndata: {}\n\n`)
    if (requests.length === 1) response.end()
    if (requests.length === 2) setTimeout(() => response.destroy(), 50)
  }
  const { events, statuses } = follow()
  await until(() => events.length === 3)
  expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'a-1', 'a-2'])
  expect(statuses).toEqual(['closed', 'open', 'closed', 'open', 'closed', 'open'])
})

test('When the server is busy, then the next connection waits as long as it asks for', async () => {
  let refusedAt = 0
  let nextAt = 0
  handler = (_, response) => {
    if (requests.length === 1) beginStream(response, '')
    if (requests.length === 1) response.end()
    if (requests.length === 2) {
      refusedAt = Date.now()
      response.writeHead(503, { 'Retry-After': '1' }).end('{}')
    }
    if (requests.length === 3) {
      nextAt = Date.now()
      beginStream(response, '')
    }
  }
  const { statuses } = follow()
  await until(() => statuses.at(-1) === 'open' && nextAt > 0)
  // Timers may fire a millisecond early.
  expect(nextAt - refusedAt).toBeGreaterThanOrEqual(990)
  expect(statuses).toEqual(['closed', 'open', 'closed', 'open'])
})

test('When the access token has expired, then it is refreshed once', async () => {
  handler = ({ headers }, response) => {
    if (headers.authorization === 'Bearer second') beginStream(response, '')
    else response.writeHead(401).end('{}')
  }
  const { statuses } = follow(() => Promise.resolve(true))
  await until(() => statuses.includes('open'))
  expect(statuses).toEqual(['closed', 'open'])
  expect(requests).toHaveLength(2)
})

test.each([
  ['the event may not be followed', 404, undefined],
  ['the token is not accepted, and there is no other', 401, () => Promise.resolve(false)],
  ['a new token is not accepted either', 401, () => Promise.resolve(true)],
])('When %s, then the stream has ended for good', async (_, status, onUnauthorized) => {
  handler = (_request, response) => response.writeHead(status).end('{}')
  const { statuses } = follow(onUnauthorized)
  await until(() => statuses.includes('ended'))
  expect(statuses).toEqual(['closed', 'ended'])
})

test('When an event never ends, then the stream starts again instead of filling the memory', async () => {
  handler = (_, response) => {
    beginStream(response, '')
    if (requests.length > 1) return
    response.write('data: ')
    const sending = setInterval(() => response.write('x'.repeat(100_000)), 10)
    response.once('close', () => clearInterval(sending))
  }
  follow()
  await until(() => requests.length === 2)
})

test('When the page leaves, then the connection is closed and nothing more is reported', async () => {
  const closed = Promise.withResolvers<undefined>()
  handler = (_, response) => {
    response.once('close', () => closed.resolve(undefined))
    beginStream(response, '')
  }
  const { statuses } = follow()
  await until(() => statuses.includes('open'))
  controller.abort()
  await closed.promise
  expect(statuses).toEqual(['closed', 'open'])
})
