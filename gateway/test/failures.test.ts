import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { MB } from '@confetti/contracts'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import { readAnswer, send, startGateway, startPeer, type Answer, type Peer } from './stand.ts'

const IDLE_MS = 1_000

let peer: Peer
let gateway: ServiceProcess
let deaf: { url: string; close: () => Promise<unknown> }

/** A port where a connection is never taken: its thread sleeps, and the few places in its queue are taken. */
const startDeafPeer = async () => {
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
  ;[peer, deaf] = await Promise.all([startPeer(), startDeafPeer()])
  gateway = await startGateway(peer.url, {
    AUTH_URL: 'http://no-such-host.invalid:3000',
    CONTACT_URL: deaf.url,
    IDLE_TIMEOUT_MS: String(IDLE_MS),
    CONNECT_TIMEOUT_MS: '500',
  })
})
afterAll(async () => {
  await gateway.stop()
  await Promise.all([peer.close(), deaf.close()])
})
beforeEach(() => {
  peer.calls.length = 0
})

const events = 'GET /api/events/0123456789abcdef01234567'

const expectFailure = (answer: Answer, status: number, code: string): void => {
  expect(answer).toMatchObject({
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    json: { code, message: expect.any(String), requestId: answer.headers['x-request-id'] },
  })
  expect(answer.text).not.toMatch(/127\.0\.0\.1|\.invalid|ECONN|ENOTFOUND|proxy|hang up/i)
}

const startUpload = (headers: OutgoingHttpHeaders, { url } = gateway) => {
  const { hostname, port } = new URL(url)
  const outgoing = request({ hostname, port, method: 'POST', path: '/api/uploads', agent: false, headers })
  outgoing.on('error', () => undefined)
  const answer = once(outgoing, 'response').then(([response]) => readAnswer(response as IncomingMessage))
  return { outgoing, answer }
}

test('When a service’s host or port is not there, the answer is 503 and says when to try again', async () => {
  const gone = await startPeer()
  const other = await startGateway(gone.url)
  await gone.close()
  for (const answer of [
    await send(gateway.url, 'GET /api/users'),
    await send(gateway.url, 'POST /api/auth/login', { body: '{}' }),
    await send(other.url, 'GET /api/users'),
    await send(other.url, 'POST /api/uploads', { body: 'x'.repeat(MB) }),
  ]) {
    expectFailure(answer, 503, 'unavailable')
    expect(answer.headers['retry-after']).toBe('2')
    expect(answer.json.message).toBe('The service is busy. Please try again in a moment.')
  }
  await other.stop()
})

test('When a service takes no connection, the answer is 503 after the time limit for connecting', async () => {
  const started = performance.now()
  expectFailure(await send(gateway.url, 'GET /api/contact-admin'), 503, 'unavailable')
  expect(performance.now() - started).toBeGreaterThan(450)
  expect(performance.now() - started).toBeLessThan(IDLE_MS)
})

test.each([
  ['hangs up', (socket: Socket) => socket.destroy()],
  ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
  ['answers what is not HTTP', (socket: Socket) => socket.end('not HTTP at all\r\n\r\n')],
])('When a service %s, the answer is 502', async (_, act) => {
  peer.answer = (incoming) => void act(incoming.socket)
  expectFailure(await send(gateway.url, events), 502, 'bad_gateway')
  expectFailure(await send(gateway.url, 'POST /api/uploads', { body: 'x'.repeat(MB) }), 502, 'bad_gateway')
  expect(peer.calls).toHaveLength(2)
})

test('When a service dies in the middle of its answer, the client is cut off too and not left waiting', async () => {
  peer.answer = (incoming, response) => {
    response.writeHead(200, { 'Content-Length': 1_000 }).write('the first part')
    setTimeout(() => incoming.socket.resetAndDestroy(), 50)
  }
  await expect(send(gateway.url, events)).rejects.toThrow('aborted')
  peer.answer = (incoming, response) => {
    response.writeHead(200).write('a part of unknown length')
    setTimeout(() => incoming.socket.destroy(), 50)
  }
  await expect(send(gateway.url, events)).rejects.toThrow('aborted')
})

test('When a service says nothing for too long, the answer is 504 and its request is aborted', async () => {
  let held: IncomingMessage | undefined
  peer.answer = (incoming) => {
    incoming.resume()
    held = incoming
  }
  expectFailure(await send(gateway.url, events), 504, 'gateway_timeout')
  await eventually(() => held?.destroyed, 'the abort')
})

test('When a service stops reading an upload, the answer is 504', async () => {
  peer.answer = () => undefined
  const { outgoing, answer } = startUpload({ 'Content-Length': 200 * MB })
  const chunk = Buffer.alloc(MB)
  for (let i = 0; i < 200; i += 1) outgoing.write(chunk)
  expectFailure(await answer, 504, 'gateway_timeout')
  outgoing.destroy()
})

test('When a service stops in the middle of its answer, the client is not left waiting', async () => {
  peer.answer = (_, response) =>
    void response.writeHead(200, { 'Content-Length': 1_000 }).write('the first part')
  await expect(send(gateway.url, events)).rejects.toThrow('aborted')
})

test('When a client stops sending, it is told 408 and the service sees the abort', async () => {
  let held: IncomingMessage | undefined
  peer.answer = (incoming) => {
    held = incoming.resume()
  }
  const { outgoing, answer } = startUpload({ 'Content-Length': MB })
  outgoing.write('the first part')
  expectFailure(await answer, 408, 'timeout')
  await eventually(() => held?.destroyed && !held.complete, 'the abort')
})

test('When a client stops reading, it is let go and the service with it', async () => {
  let sending: Socket | undefined
  peer.answer = (incoming, response) => {
    sending = incoming.socket
    response.writeHead(200)
    const chunk = Buffer.alloc(MB)
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      response.once('drain', more)
    }
    more()
  }
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  socket.pause()
  socket.write(`${events} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await eventually(() => sending?.destroyed, 'the service is let go')
  socket.destroy()
})

test('A slow call is no idle one: an upload and its answer may take longer than the idle time', async () => {
  // Long, so that a busy machine's pauses between the pieces stay below it.
  const idleMs = 5_000
  const [pieces, betweenMs] = [35, 200]
  const patient = await startGateway(peer.url, { IDLE_TIMEOUT_MS: String(idleMs) })
  peer.answer = (incoming, response) => {
    let bytes = 0
    incoming.on('data', (chunk: Buffer) => (bytes += chunk.length))
    incoming.on('end', () => {
      response.writeHead(201)
      let left = pieces
      const timer = setInterval(() => {
        if (left-- > 0) return void response.write(' ')
        clearInterval(timer)
        response.end(JSON.stringify({ bytes }))
      }, betweenMs)
    })
  }
  const { outgoing, answer } = startUpload({ 'Content-Length': pieces }, patient)
  const started = performance.now()
  for (let i = 0; i < pieces; i += 1) {
    outgoing.write('x')
    await new Promise((resolve) => setTimeout(resolve, betweenMs))
  }
  outgoing.end()
  expect(await answer).toMatchObject({ status: 201, json: { bytes: pieces } })
  expect(performance.now() - started).toBeGreaterThan(2.5 * idleMs)
  await patient.stop()
}, 60_000)

test('Calls that follow each other share connections; what cannot be sent again takes none that has rested', async () => {
  const used = new Map<string, Set<Socket>>()
  const usedBy = (method: string): Socket[] => [...(used.get(method) ?? [])]
  peer.answer = (incoming, response) => {
    incoming.resume().on('end', () => response.end('{}'))
    const sockets = used.get(String(incoming.method)) ?? new Set()
    used.set(String(incoming.method), sockets.add(incoming.socket))
  }
  const sendBoth = async (): Promise<void> => {
    await send(gateway.url, events)
    await send(gateway.url, 'POST /api/uploads', { body: 'x' })
  }
  for (let i = 0; i < 5; i += 1) await sendBoth()
  expect(usedBy('GET')).toHaveLength(1)
  expect(usedBy('POST')).toHaveLength(1)
  await eventually(() => usedBy('POST')[0]?.destroyed)
  await sendBoth()
  expect(usedBy('GET')).toHaveLength(1)
  expect(usedBy('POST')).toHaveLength(2)
})

test('When a kept connection has gone stale, a read is made again on a fresh one and nobody notices', async () => {
  peer.answer = (_, response) => void response.end('{"first":true}')
  expect((await send(gateway.url, events)).status).toBe(200)
  const stale = new Set(peer.sockets)
  peer.answer = (incoming, response) => {
    if (stale.has(incoming.socket)) incoming.socket.resetAndDestroy()
    else response.end('{"again":true}')
  }
  peer.calls.length = 0
  expect(await send(gateway.url, events)).toMatchObject({ status: 200, json: { again: true } })
  expect(peer.calls).toHaveLength(2)
})

test('When the gateway is told to stop, what is under way is finished, its connections are closed, and then it ends', async () => {
  const other = await startGateway(peer.url)
  const seen = Promise.withResolvers<() => void>()
  peer.answer = (_, response) => seen.resolve(() => response.end('{"done":true}'))
  const { hostname, port } = new URL(other.url)
  const waiting = fetch(`http://${hostname}:${port}/api/users`)
  const finish = await seen.promise
  const stopped = other.stop()
  await new Promise((resolve) => setTimeout(resolve, 200))
  finish()
  const answer = await waiting
  expect(answer.headers.get('connection')).toBe('close')
  expect(await answer.json()).toEqual({ done: true })
  expect(await stopped).toBe(0)
})
