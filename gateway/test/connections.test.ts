import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { errorBody } from '@confetti/contracts'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { send, sendRaw, startGateway, startUpstream, type Upstream } from './harness.ts'

const MAX_CONNECTIONS = 20

let upstream: Upstream
let gateway: ServiceProcess

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startGateway(upstream.url, {
    REQUEST_TIMEOUT_MS: '1000',
    MAX_CONNECTIONS: String(MAX_CONNECTIONS),
  })
})
afterAll(async () => {
  await gateway.stop()
  await upstream.close()
})

const parseError = (received: string) => {
  const [head = '', body = ''] = received.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, ...errorBody.parse(JSON.parse(body)) }
}

const openConnection = async (): Promise<Socket> => {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

test.each([
  ['JSON', 'application/json'],
  ['a form', 'multipart/form-data; boundary=x'],
])(
  'When the body of a sign-in arrives steadily but never ends, as %s, then it gets 408 and its connection ends',
  async (_, contentType) => {
    const socket = await openConnection()
    let received = ''
    socket.on('data', (chunk) => (received += chunk.toString()))
    socket.write(
      `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: 1000\r\n\r\n`,
    )
    const sending = setInterval(() => socket.write('x'), 100)
    // `once` would reject with the error of a connection that is reset.
    await new Promise((resolve) => socket.on('close', resolve))
    clearInterval(sending)
    expect(parseError(received)).toMatchObject({ status: 408, code: 'timeout' })
    await eventually(() => upstream.sockets.size === 0, 'the request to the service being aborted')
  },
)

test('When a process has as many connections as it may have, then further ones are closed, and later ones are served', async () => {
  const sockets = await Promise.all(Array.from({ length: MAX_CONNECTIONS + 5 }, openConnection))
  let closed = 0
  for (const socket of sockets) socket.once('close', () => (closed += 1)).resume()
  await eventually(() => closed === 5, 'the connections beyond the limit being closed')
  const metrics = async () => (await fetch(gateway.metricsUrl)).text()
  expect(await metrics()).toContain(`http_connections{service="gateway"} ${MAX_CONNECTIONS}`)
  expect(await metrics()).toContain('http_connections_dropped_total{service="gateway"} 5')
  // A probe gets through: a pod at its limit must not be restarted.
  expect((await fetch(new URL('/healthz', gateway.metricsUrl))).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  await eventually(
    async () => (await send(gateway.url, 'GET /healthz').catch(() => undefined))?.status === 200,
    'being served again',
  )
})

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400, 'invalid'],
  [
    'two lengths',
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
    400,
    'invalid',
  ],
  [
    'a malformed chunk',
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    400,
    'invalid',
  ],
  [
    'headers of 20 kB',
    `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
])('When a client sends %s, then it gets the JSON error body', async (_, text, status, code) => {
  const error = parseError(await sendRaw(gateway.url, text))
  expect(error).toMatchObject({ status, code })
  expect(error.head).toContain(`X-Request-Id: ${error.requestId}`)
})

test('When a health check has a body that never ends, then its connection ends', async () => {
  const socket = await openConnection()
  socket.resume().write('GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n')
  const sending = setInterval(() => socket.write('x'), 100)
  await new Promise((resolve) => socket.on('close', resolve))
  clearInterval(sending)
})

test('When a request becomes invalid after its response, then there is no second response', async () => {
  const received = await sendRaw(
    gateway.url,
    'GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
  )
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
})
