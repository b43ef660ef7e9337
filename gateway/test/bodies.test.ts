import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { MB } from '@confetti/contracts'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import { readResponse, send, startGateway, startUpstream, type Upstream } from './harness.ts'

const limits = {
  MAX_JSON_BYTES: '1000',
  MAX_FILE_BYTES: String(400 * MB),
  MAX_FILES_PER_REQUEST: '1',
}

let upstream: Upstream
let gateway: ServiceProcess
let echo: Upstream['handler']

beforeAll(async () => {
  upstream = await startUpstream()
  echo = upstream.handler
  gateway = await startGateway(
    upstream.url,
    {
      ...limits,
      // As long as a whole body may take on a busy machine.
      DRAIN_TIMEOUT_MS: '60000',
    },
    // Its memory is measured.
    { isProcess: true },
  )
})
afterAll(async () => {
  await gateway.stop()
  await upstream.close()
})

const startUpload = (headers: Record<string, string | number> = {}): ClientRequest => {
  const { hostname, port } = new URL(gateway.url)
  return request({ hostname, port, method: 'POST', path: '/api/uploads', agent: false, headers })
}
const responseTo = async (outgoing: ClientRequest) => {
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return readResponse(response)
}
const write = async (outgoing: ClientRequest, chunk: Buffer): Promise<void> => {
  if (!outgoing.write(chunk)) await once(outgoing, 'drain')
}
// Shorter than the idle timeout, which would abort the request, too.
const ABORT_TIMEOUT_MS = 30_000
const megabyte = Buffer.alloc(MB, 'x')

const residentMB = async (): Promise<number> => {
  const status = await readFile(`/proc/${gateway.pid()}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

test('When a body of 400 MB is sent, then it arrives while it is being sent, and memory stays bounded', async () => {
  let arrived = 0
  upstream.handler = (incoming, response) => {
    incoming.on('data', (chunk: Buffer) => (arrived += chunk.length))
    incoming.on('end', () => response.end(JSON.stringify({ arrived })))
  }
  const beforeMB = await residentMB()
  const outgoing = startUpload({ 'Content-Length': 400 * MB })
  const received = responseTo(outgoing)
  await write(outgoing, megabyte)
  await eventually(() => arrived >= MB, 'the first megabyte')
  let peakMB = 0
  for (let sent = 1; sent < 400; sent += 1) {
    await write(outgoing, megabyte)
    if (sent % 20 === 0) peakMB = Math.max(peakMB, await residentMB())
  }
  outgoing.end()
  expect((await received).json).toEqual({ arrived: 400 * MB })
  // Buffers that are not garbage-collected yet take up to 100 MB, whatever the length of the body.
  expect(peakMB - beforeMB).toBeLessThan(150)
})

test('When the service reads slowly, then the client is slowed down and the gateway buffers nothing', async () => {
  let pausedRequest: IncomingMessage | undefined
  upstream.handler = (incoming, response) => {
    pausedRequest = incoming
    incoming.on('end', () => response.end('{}'))
  }
  const beforeMB = await residentMB()
  const outgoing = startUpload({ 'Content-Length': 100 * MB })
  const received = responseTo(outgoing)
  let sent = 0
  const sending = (async () => {
    for (; sent < 100; sent += 1) await write(outgoing, megabyte)
    outgoing.end()
  })()
  await eventually(() => pausedRequest, 'the request reaches the service')
  let previous = -1
  await eventually(() => {
    const isStalled = sent > 0 && sent === previous
    previous = sent
    return isStalled
  }, 'the client is slowed down')
  expect(sent).toBeLessThan(50)
  expect((await residentMB()) - beforeMB).toBeLessThan(80)
  pausedRequest?.resume()
  await sending
  expect((await received).status).toBe(200)
})

test('When a body has no length, then it is streamed too', async () => {
  upstream.handler = echo
  const outgoing = startUpload()
  const received = responseTo(outgoing)
  for (let i = 0; i < 5; i += 1) await write(outgoing, megabyte)
  outgoing.end()
  expect((await received).json).toMatchObject({ bytes: 5 * MB, headers: { 'transfer-encoding': 'chunked' } })
})

test('When an upload expects 100-continue, then it works, and its headers are cleaned all the same', async () => {
  upstream.handler = echo
  const outgoing = startUpload({ Expect: '100-continue', 'Content-Length': MB, 'X-User-Id': 'admin' })
  const received = responseTo(outgoing)
  outgoing.flushHeaders()
  await once(outgoing, 'continue')
  outgoing.end(megabyte)
  const { json } = await received
  expect(json.bytes).toBe(MB)
  expect(json.headers).not.toHaveProperty('expect')
  expect(json.headers).not.toHaveProperty('x-user-id')
  expect(json.headers['x-forwarded-for']).toBe('127.0.0.1')
})

test('When JSON is longer than the limit, then it is rejected by its length; up to the limit it passes', async () => {
  upstream.handler = echo
  upstream.requests.length = 0
  const received = await send(gateway.url, 'POST /api/auth/login', { body: 'x'.repeat(1_001) })
  expect(received).toMatchObject({
    status: 413,
    json: { code: 'too_large', message: 'The request is too large.' },
  })
  expect(upstream.requests).toEqual([])
  expect((await send(gateway.url, 'POST /api/auth/login', { body: 'x'.repeat(1_000) })).json.bytes).toBe(
    1_000,
  )
})

test('When an upload is longer than the limit, then it is rejected before it is sent', async () => {
  upstream.requests.length = 0
  const outgoing = startUpload({ 'Content-Length': 400 * MB + 1 })
  outgoing.on('error', () => undefined)
  outgoing.flushHeaders()
  const received = await responseTo(outgoing)
  expect(received).toMatchObject({
    status: 413,
    json: {
      code: 'too_large',
      message: 'That is more than 400 MB at once. Please send fewer or smaller files.',
    },
  })
  expect(upstream.requests).toEqual([])
  outgoing.destroy()
})

const contentLength = (megabytes: number): string => `Content-Length: ${megabytes * MB}`
const CHUNKED = 'Transfer-Encoding: chunked'

/** Sends a whole upload of this many megabytes without looking at the response, and only then reads it. */
const sendBlindly = async (megabytes: number, framing: string, connection: string): Promise<string> => {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  socket.pause()
  const send = (chunk: Buffer | string): Promise<void> =>
    new Promise((resolve, reject) => socket.write(chunk, (error) => (error ? reject(error) : resolve())))
  await send(`POST /api/uploads HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n${framing}\r\n\r\n`)
  const isChunked = framing === CHUNKED
  const chunk = isChunked ? `${MB.toString(16)}\r\n${'x'.repeat(MB)}\r\n` : megabyte
  for (let sent = 0; sent < megabytes; sent += 1) await send(chunk)
  if (isChunked) await send('0\r\n\r\n')
  socket.resume()
  const [received] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return received.toString()
}

test.each(['keep-alive', 'close'])(
  'When a client reads only after sending everything, then it reads the rejection (Connection: %s)',
  async (connection) => {
    expect(await sendBlindly(401, contentLength(401), connection)).toMatch(/^HTTP\/1\.1 413 [^]*too_large/)
  },
)

test('When a client ignores the rejection and keeps sending, then it is disconnected', async () => {
  const impatient = await startGateway(upstream.url, { ...limits, DRAIN_TIMEOUT_MS: '1000' })
  const { hostname, port } = new URL(impatient.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString()))
  socket.on('error', () => undefined)
  socket.write(`POST /api/uploads HTTP/1.1\r\nHost: x\r\nContent-Length: ${500 * MB}\r\n\r\n`)
  const timer = setInterval(() => socket.write('x'), 100)
  // `once` from node:events would reject on an error before the close.
  await new Promise((closed) => socket.once('close', closed))
  clearInterval(timer)
  expect(received).toMatch(/^HTTP\/1\.1 413 /)
  expect(received).toContain('too_large')
  await impatient.stop()
})

test.each([
  ['keep-alive', contentLength(39)],
  ['close', contentLength(39)],
  ['keep-alive', CHUNKED],
])(
  'When a service rejects early, then a client that is still sending reads the rejection (Connection: %s, %s)',
  async (connection, framing) => {
    upstream.handler = (incoming, response) => {
      incoming.resume()
      response.writeHead(415, { 'Content-Type': 'application/json' }).end('{"code":"unsupported_type"}')
    }
    for (let i = 0; i < 5; i += 1)
      expect(await sendBlindly(39, framing, connection)).toMatch(/^HTTP\/1\.1 415 [^]*unsupported_type/)
  },
)

test('When a service disconnects, then a client that is still sending reads the 502', async () => {
  upstream.handler = (incoming) => incoming.destroy()
  expect(await sendBlindly(39, contentLength(39), 'close')).toMatch(/^HTTP\/1\.1 502 [^]*bad_gateway/)
})

test('When the client disconnects during an upload, then the request to the service is aborted', async () => {
  const reached = Promise.withResolvers<{ incoming: IncomingMessage }>()
  upstream.handler = (incoming) => {
    incoming.resume()
    reached.resolve({ incoming })
  }
  const outgoing = startUpload({ 'Content-Length': 100 * MB })
  outgoing.on('error', () => undefined)
  await write(outgoing, megabyte)
  const { incoming } = await reached.promise
  outgoing.destroy()
  await eventually(() => incoming.destroyed && !incoming.complete, 'the abort', ABORT_TIMEOUT_MS)
})

test('When the client disconnects while it waits for the response, then the request to the service is aborted', async () => {
  const reached = Promise.withResolvers<ServerResponse>()
  upstream.handler = (incoming, response) => {
    incoming.resume()
    reached.resolve(response)
  }
  const { hostname, port } = new URL(gateway.url)
  const outgoing = request({ hostname, port, path: '/api/users', agent: false }).end()
  outgoing.on('error', () => undefined)
  const response = await reached.promise
  outgoing.destroy()
  await eventually(() => response.destroyed, 'the abort', ABORT_TIMEOUT_MS)
})
