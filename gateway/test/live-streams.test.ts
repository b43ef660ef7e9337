import { once } from 'node:events'
import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readResponse, send, SHELL, startGateway, startUpstream, type Upstream } from './harness.ts'

let upstream: Upstream
let gateway: ServiceProcess
/** The open streams of the stub. */
const streams = new Set<ServerResponse>()

const path = `/api/live/${'a'.repeat(24)}`

beforeAll(async () => {
  upstream = await startUpstream((_, response) => {
    streams.add(response)
    response.once('close', () => streams.delete(response))
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
    response.write('event: reset\ndata: {}\n\n')
  })
  gateway = await startGateway(upstream.url, { STREAM_DRAIN_MS: '500' })
})
afterAll(async () => {
  await gateway.stop()
  await upstream.close()
})

/** Begins a stream, and resolves when its first event has arrived. */
const openStream = async ({ url } = gateway) => {
  const outgoing = request(new URL(path, url), { agent: false })
  outgoing.on('error', () => undefined).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const [first] = (await once(response, 'data')) as [Buffer]
  expect(first.toString()).toContain('event: reset')
  return { response, disconnect: () => outgoing.destroy() }
}

test('When a stream begins, then its first event arrives at once, and the service learns when the client leaves', async () => {
  const { response, disconnect } = await openStream()
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
  })
  expect(streams.size).toBe(1)
  disconnect()
  await eventually(() => streams.size === 0, 'the service closing its response')
})

test('When only heartbeats arrive, for longer than the idle timeout, then the stream stays open', async () => {
  const idleMs = 5_000
  const other = await startGateway(upstream.url, { IDLE_TIMEOUT_MS: String(idleMs) })
  const { response, disconnect } = await openStream(other)
  const started = performance.now()
  let latestMs = 0
  response.on('data', () => (latestMs = performance.now() - started))
  const timer = setInterval(() => streams.forEach((stream) => stream.write(': heartbeat\n\n')), 300)
  await eventually(() => latestMs > 1.5 * idleMs, 'heartbeats')
  clearInterval(timer)
  expect(response.closed).toBe(false)
  disconnect()
  await eventually(() => streams.size === 0)
  await other.stop()
})

test('When a browser asks before it follows an event, then it may send the key of a wall and the last id', async () => {
  const preflight = await send(gateway.url, `OPTIONS ${path}`, {
    headers: {
      origin: SHELL,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'last-event-id,x-wall-key',
    },
  })
  const allowed = String(preflight.headers['access-control-allow-headers']).toLowerCase()
  expect(allowed.split(',')).toEqual(expect.arrayContaining(['last-event-id', 'x-wall-key']))
})

test('When the gateway shuts down, then it ends the streams soon, and not after its grace period', async () => {
  const open = await Promise.all([openStream(), openStream(), openStream()])
  const responses = open.map(({ response }) => readResponse(response))
  expect(await gateway.stop()).toBe(0)
  // Ended as a whole, not cut off.
  for (const response of await Promise.all(responses)) expect(response.status).toBe(200)
  await eventually(() => streams.size === 0)
  await gateway.restart()
})
