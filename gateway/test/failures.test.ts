import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { MB } from '@confetti/contracts'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import {
  readResponse,
  send,
  startGateway,
  startUpstream,
  type TestResponse,
  type Upstream,
} from './harness.ts'

let upstream: Upstream
let gateway: ServiceProcess
/** A gateway whose idle timeout is so short that tests can wait for it. */
let impatient: ServiceProcess
let unresponsive: { url: string; close: () => Promise<unknown> }

/** A port that accepts no connection: the thread of its server sleeps, and its backlog is full. */
const startUnresponsiveServer = async () => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
     const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port)
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
     })`,
    { eval: true },
  )
  const [port] = (await once(worker, 'message')) as [number]
  const waiting: Socket[] = Array.from({ length: 4 }, () =>
    connect(port, '127.0.0.1').on('error', () => undefined),
  )
  await eventually(() => waiting.filter((socket) => !socket.connecting).length >= 2)
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      for (const socket of waiting) socket.destroy()
      return worker.terminate()
    },
  }
}

beforeAll(async () => {
  ;[upstream, unresponsive] = await Promise.all([startUpstream(), startUnresponsiveServer()])
  ;[gateway, impatient] = await Promise.all([
    startGateway(upstream.url, { AUTH_URL: 'http://no-such-host.invalid:3000' }),
    startGateway(upstream.url, { IDLE_TIMEOUT_MS: '1000' }),
  ])
})
afterAll(async () => {
  await Promise.all([gateway.stop(), impatient.stop()])
  await Promise.all([upstream.close(), unresponsive.close()])
})
beforeEach(() => {
  upstream.requests.length = 0
})

const getEvent = 'GET /api/events/0123456789abcdef01234567'

const expectFailure = (response: TestResponse, status: number, code: string): void => {
  expect(response.headers['x-request-id']).toEqual(expect.any(String))
  expect(response).toMatchObject({
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    json: { code, message: expect.any(String), requestId: response.headers['x-request-id'] },
  })
  expect(response.text).not.toMatch(/127\.0\.0\.1|\.invalid|ECONN|ENOTFOUND|proxy|hang up/i)
}

const startUpload = (headers: OutgoingHttpHeaders, { url }: ServiceProcess) => {
  const { hostname, port } = new URL(url)
  const outgoing = request({ hostname, port, method: 'POST', path: '/api/uploads', agent: false, headers })
  outgoing.on('error', () => undefined)
  const received = once(outgoing, 'response').then(([response]) => readResponse(response as IncomingMessage))
  return { outgoing, received }
}

test('When a service cannot be reached, then the response is 503 with Retry-After', async () => {
  const stopped = await startUpstream()
  const other = await startGateway(stopped.url)
  await stopped.close()
  for (const response of [
    await send(gateway.url, 'GET /api/users'),
    await send(gateway.url, 'POST /api/auth/login', { body: '{}' }),
    await send(other.url, 'GET /api/users'),
    await send(other.url, 'POST /api/uploads', { body: 'x'.repeat(MB) }),
  ]) {
    expectFailure(response, 503, 'unavailable')
    expect(response.headers['retry-after']).toBe('2')
    expect(response.json.message).toBe('The service is busy. Please try again in a moment.')
  }
  await other.stop()
})

test('When a service accepts no connection, then the response is 503 after the connect timeout', async () => {
  const idleMs = 60_000
  const other = await startGateway(upstream.url, {
    CONTACT_URL: unresponsive.url,
    IDLE_TIMEOUT_MS: String(idleMs),
    CONNECT_TIMEOUT_MS: '500',
  })
  const started = performance.now()
  expectFailure(await send(other.url, 'GET /api/contact-admin'), 503, 'unavailable')
  expect(performance.now() - started).toBeGreaterThan(450)
  expect(performance.now() - started).toBeLessThan(idleMs)
  await other.stop()
})

test.each([
  ['closes the connection', (socket: Socket) => socket.destroy()],
  ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
  ['responds with bytes that are not HTTP', (socket: Socket) => socket.end('not HTTP at all\r\n\r\n')],
])('When a service %s, then the response is 502', async (_, act) => {
  upstream.handler = (incoming) => void act(incoming.socket)
  expectFailure(await send(gateway.url, getEvent), 502, 'bad_gateway')
  expectFailure(await send(gateway.url, 'POST /api/uploads', { body: 'x'.repeat(MB) }), 502, 'bad_gateway')
  expect(upstream.requests).toHaveLength(2)
})

test('When a service disconnects during its response, then the client is disconnected too', async () => {
  upstream.handler = (incoming, response) => {
    response.writeHead(200, { 'Content-Length': 1_000 }).write('the first part')
    setTimeout(() => incoming.socket.resetAndDestroy(), 50)
  }
  await expect(send(gateway.url, getEvent)).rejects.toThrow('aborted')
  upstream.handler = (incoming, response) => {
    response.writeHead(200).write('a part of unknown length')
    setTimeout(() => incoming.socket.destroy(), 50)
  }
  await expect(send(gateway.url, getEvent)).rejects.toThrow('aborted')
})

test('When a service does not respond in time, then the response is 504 and its request is aborted', async () => {
  let incomingRequest: IncomingMessage | undefined
  upstream.handler = (incoming) => {
    incoming.resume()
    incomingRequest = incoming
  }
  expectFailure(await send(impatient.url, getEvent), 504, 'gateway_timeout')
  await eventually(() => incomingRequest?.destroyed, 'the abort')
})

test('When a service stops reading an upload, then the response is 504', async () => {
  upstream.handler = () => undefined
  const { outgoing, received } = startUpload({ 'Content-Length': 200 * MB }, impatient)
  const chunk = Buffer.alloc(MB)
  for (let i = 0; i < 200; i += 1) outgoing.write(chunk)
  expectFailure(await received, 504, 'gateway_timeout')
  outgoing.destroy()
})

test('When a service stalls during its response, then the client is disconnected', async () => {
  upstream.handler = (_, response) =>
    void response.writeHead(200, { 'Content-Length': 1_000 }).write('the first part')
  await expect(send(impatient.url, getEvent)).rejects.toThrow('aborted')
})

test('When a client stops sending, then it gets 408 and the request to the service is aborted', async () => {
  let incomingRequest: IncomingMessage | undefined
  upstream.handler = (incoming) => {
    incomingRequest = incoming.resume()
  }
  const { outgoing, received } = startUpload({ 'Content-Length': MB }, impatient)
  outgoing.write('the first part')
  expectFailure(await received, 408, 'timeout')
  await eventually(() => incomingRequest?.destroyed && !incomingRequest.complete, 'the abort')
})

test('When a client stops reading, then its connection and that to the service are closed', async () => {
  let sending: Socket | undefined
  upstream.handler = (incoming, response) => {
    sending = incoming.socket
    response.writeHead(200)
    const chunk = Buffer.alloc(MB)
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      response.once('drain', more)
    }
    more()
  }
  const { hostname, port } = new URL(impatient.url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  socket.pause()
  socket.write(`${getEvent} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await eventually(() => sending?.destroyed, 'the connection to the service is closed')
  socket.destroy()
})

test('When an upload and its response are slow but not idle, then they may take longer than the idle timeout', async () => {
  const idleMs = 2_000
  const [pieces, betweenMs] = [14, 200]
  const other = await startGateway(upstream.url, { IDLE_TIMEOUT_MS: String(idleMs) })
  /** When a piece was sent or received, in milliseconds. */
  let times: number[] = []
  const longestPause = (): number =>
    Math.max(...times.slice(1).map((time, index) => time - Number(times[index])))
  upstream.handler = (incoming, response) => {
    let bytes = 0
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      times.push(performance.now())
    })
    incoming.on('end', () => {
      response.writeHead(201)
      let left = pieces
      const timer = setInterval(() => {
        times.push(performance.now())
        if (left-- > 0) return void response.write(' ')
        clearInterval(timer)
        response.end(JSON.stringify({ bytes }))
      }, betweenMs)
    })
  }
  const sendSlowly = async (): Promise<unknown> => {
    times = [performance.now()]
    const { outgoing, received } = startUpload({ 'Content-Length': pieces }, other)
    const outcome = received.catch((error: unknown) => error)
    for (let i = 0; i < pieces; i += 1) {
      outgoing.write('x')
      await new Promise((resolve) => setTimeout(resolve, betweenMs))
    }
    outgoing.end()
    return outcome
  }
  // A busy machine may pause for as long as the idle timeout; then the attempt says nothing.
  const outcome = await eventually(async () => {
    const result = await sendSlowly()
    return longestPause() < idleMs / 2 && result
  }, 'an attempt without long pauses')
  expect(outcome).toMatchObject({ status: 201, json: { bytes: pieces } })
  expect(Number(times.at(-1)) - Number(times[0])).toBeGreaterThan(2.5 * idleMs)
  await other.stop()
})

test('When requests follow each other, then they share connections, but a write reuses no connection that was idle', async () => {
  const used = new Map<string, Set<Socket>>()
  const usedBy = (method: string): Socket[] => [...(used.get(method) ?? [])]
  upstream.handler = (incoming, response) => {
    incoming.resume().on('end', () => response.end('{}'))
    const sockets = used.get(String(incoming.method)) ?? new Set()
    used.set(String(incoming.method), sockets.add(incoming.socket))
  }
  const sendBoth = async (): Promise<void> => {
    await send(gateway.url, getEvent)
    await send(gateway.url, 'POST /api/uploads', { body: 'x' })
  }
  // Within the two seconds for which a connection is kept for writes.
  await eventually(async () => {
    used.clear()
    const started = performance.now()
    for (let i = 0; i < 5; i += 1) await sendBoth()
    return performance.now() - started < 1_500
  }, 'five rounds within two seconds')
  expect(usedBy('GET')).toHaveLength(1)
  expect(usedBy('POST')).toHaveLength(1)
  await eventually(() => usedBy('POST')[0]?.destroyed)
  await sendBoth()
  expect(usedBy('GET')).toHaveLength(1)
  expect(usedBy('POST')).toHaveLength(2)
})

test('When a pooled connection is dead, then a read is retried on a new one', async () => {
  upstream.handler = (_, response) => void response.end('{"first":true}')
  expect((await send(gateway.url, getEvent)).status).toBe(200)
  const stale = new Set(upstream.sockets)
  upstream.handler = (incoming, response) => {
    if (stale.has(incoming.socket)) incoming.socket.resetAndDestroy()
    else response.end('{"retried":true}')
  }
  upstream.requests.length = 0
  expect(await send(gateway.url, getEvent)).toMatchObject({ status: 200, json: { retried: true } })
  expect(upstream.requests).toHaveLength(2)
})

test('When the gateway is stopped, then it finishes requests in progress, closes their connections and exits', async () => {
  const log: string[] = []
  const other = await startGateway(upstream.url, {}, { onLine: (line) => log.push(line) })
  const reached = Promise.withResolvers<() => void>()
  upstream.handler = (_, response) => reached.resolve(() => response.end('{"done":true}'))
  const { hostname, port } = new URL(other.url)
  const waiting = fetch(`http://${hostname}:${port}/api/users`)
  const finish = await reached.promise
  const stopped = other.stop()
  await eventually(() => log.some((line) => line.includes('shutting down')), 'the beginning of the shutdown')
  finish()
  const response = await waiting
  expect(response.headers.get('connection')).toBe('close')
  expect(await response.json()).toEqual({ done: true })
  expect(await stopped).toBe(0)
})

test('When the gateway serves requests, then it prints log lines and no warnings', async () => {
  const lines: string[] = []
  const other = await startGateway(upstream.url, {}, { onLine: (line) => lines.push(line) })
  upstream.handler = (incoming, response) => void incoming.resume().on('end', () => response.end('{}'))
  await send(other.url, getEvent)
  await send(other.url, 'POST /api/uploads', { body: 'x' })
  upstream.handler = (_, response) => response.writeHead(304).end()
  await send(other.url, getEvent)
  await other.stop()
  expect(lines.filter((line) => line.includes('"status":200'))).toHaveLength(2)
  expect(lines.filter((line) => line.includes('"status":304'))).toEqual([])
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([])
})
