import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { MB } from '@confetti/contracts'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import { readAnswer, send, startGateway, startPeer, type Peer } from './stand.ts'

let peer: Peer
let gateway: ServiceProcess
let echo: Peer['answer']

beforeAll(async () => {
  peer = await startPeer()
  echo = peer.answer
  gateway = await startGateway(peer.url, {
    MAX_JSON_BYTES: '1000',
    MAX_FILE_BYTES: String(400 * MB),
    MAX_FILES_PER_REQUEST: '1',
    LINGER_MS: '3000',
  })
})
afterAll(async () => {
  await gateway.stop()
  await peer.close()
})

const startUpload = (headers: Record<string, string | number> = {}): ClientRequest => {
  const { hostname, port } = new URL(gateway.url)
  return request({ hostname, port, method: 'POST', path: '/api/uploads', agent: false, headers })
}
const answerTo = async (outgoing: ClientRequest) => {
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return readAnswer(response)
}
const write = async (outgoing: ClientRequest, chunk: Buffer): Promise<void> => {
  if (!outgoing.write(chunk)) await once(outgoing, 'drain')
}
const megabyte = Buffer.alloc(MB, 'x')

const residentMB = async (): Promise<number> => {
  const status = await readFile(`/proc/${gateway.pid()}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

test('A 400 MB body streams through: its first bytes arrive while it is being sent, and memory stays', async () => {
  let arrived = 0
  peer.answer = (incoming, response) => {
    incoming.on('data', (chunk: Buffer) => (arrived += chunk.length))
    incoming.on('end', () => response.end(JSON.stringify({ arrived })))
  }
  const before = await residentMB()
  const outgoing = startUpload({ 'Content-Length': 400 * MB })
  const answer = answerTo(outgoing)
  await write(outgoing, megabyte)
  await eventually(() => arrived >= MB, 'the first megabyte')
  let most = 0
  for (let sent = 1; sent < 400; sent += 1) {
    await write(outgoing, megabyte)
    if (sent % 20 === 0) most = Math.max(most, await residentMB())
  }
  outgoing.end()
  expect((await answer).json).toEqual({ arrived: 400 * MB })
  // Read buffers that are not collected yet take up to 100 MB, however long the body is.
  expect(most - before).toBeLessThan(150)
})

test('When the service reads slowly, the client is slowed down and nothing piles up between them', async () => {
  let held: IncomingMessage | undefined
  peer.answer = (incoming, response) => {
    held = incoming
    incoming.on('end', () => response.end('{}'))
  }
  const before = await residentMB()
  const outgoing = startUpload({ 'Content-Length': 100 * MB })
  const answer = answerTo(outgoing)
  let sent = 0
  const sending = (async () => {
    for (; sent < 100; sent += 1) await write(outgoing, megabyte)
    outgoing.end()
  })()
  await eventually(() => held, 'the service is called')
  let last = -1
  await eventually(() => {
    const still = sent === last
    last = sent
    return still && sent > 0
  }, 'the client is held up')
  expect(sent).toBeLessThan(50)
  expect((await residentMB()) - before).toBeLessThan(80)
  held?.resume()
  await sending
  expect((await answer).status).toBe(200)
})

test('A body without a length is streamed too', async () => {
  peer.answer = echo
  const outgoing = startUpload()
  const answer = answerTo(outgoing)
  for (let i = 0; i < 5; i += 1) await write(outgoing, megabyte)
  outgoing.end()
  expect((await answer).json).toMatchObject({ bytes: 5 * MB, headers: { 'transfer-encoding': 'chunked' } })
})

test('An upload that expects 100-continue works, and goes through the same rules', async () => {
  peer.answer = echo
  const outgoing = startUpload({ Expect: '100-continue', 'Content-Length': MB, 'X-User-Id': 'admin' })
  const answer = answerTo(outgoing)
  outgoing.flushHeaders()
  await once(outgoing, 'continue')
  outgoing.end(megabyte)
  const { json } = await answer
  expect(json.bytes).toBe(MB)
  expect(json.headers).not.toHaveProperty('expect')
  expect(json.headers).not.toHaveProperty('x-user-id')
  expect(json.headers['x-forwarded-for']).toBe('127.0.0.1')
})

test('JSON above the limit is refused by its length, up to the limit it passes', async () => {
  peer.answer = echo
  peer.calls.length = 0
  const answer = await send(gateway.url, 'POST /api/auth/login', { body: 'x'.repeat(1_001) })
  expect(answer).toMatchObject({
    status: 413,
    json: { code: 'too_large', message: 'The request is too large.' },
  })
  expect(peer.calls).toEqual([])
  expect((await send(gateway.url, 'POST /api/auth/login', { body: 'x'.repeat(1_000) })).json.bytes).toBe(
    1_000,
  )
})

test('An upload above the limit is refused before it is sent', async () => {
  peer.calls.length = 0
  const outgoing = startUpload({ 'Content-Length': 400 * MB + 1 })
  outgoing.on('error', () => undefined)
  outgoing.flushHeaders()
  const answer = await answerTo(outgoing)
  expect(answer).toMatchObject({
    status: 413,
    json: {
      code: 'too_large',
      message: 'That is more than 400 MB at once. Please send fewer or smaller files.',
    },
  })
  expect(peer.calls).toEqual([])
  outgoing.destroy()
})

/** Sends all of an upload of so many megabytes, blind to what comes back, and only then reads. */
const sendBlindly = async (megabytes: number, head: string): Promise<string> => {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  socket.pause()
  const send = (chunk: Buffer | string): Promise<void> =>
    new Promise((resolve, reject) => socket.write(chunk, (error) => (error ? reject(error) : resolve())))
  await send(`POST /api/uploads HTTP/1.1\r\nHost: x\r\nContent-Length: ${megabytes * MB}\r\n${head}\r\n\r\n`)
  for (let sent = 0; sent < megabytes; sent += 1) await send(megabyte)
  socket.resume()
  const [received] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return received.toString()
}

test.each(['keep-alive', 'close'])(
  'A client that looks for an answer only after all is sent reads its refusal (Connection: %s)',
  async (connection) => {
    expect(await sendBlindly(401, `Connection: ${connection}`)).toMatch(/^HTTP\/1\.1 413 [^]*too_large/)
  },
)

test('A client that ignores its refusal and sends on is cut off in the end', async () => {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString()))
  socket.on('error', () => undefined)
  socket.write(`POST /api/uploads HTTP/1.1\r\nHost: x\r\nContent-Length: ${500 * MB}\r\n\r\n`)
  const timer = setInterval(() => socket.write('x'), 100)
  // Not by `once` of events, which an error on the way would reject.
  await new Promise((closed) => socket.once('close', closed))
  clearInterval(timer)
  expect(received).toMatch(/^HTTP\/1\.1 413 /)
  expect(received).toContain('too_large')
})

test.each(['keep-alive', 'close'])(
  'When a service refuses early, a client that is still sending reads the refusal (Connection: %s)',
  async (connection) => {
    peer.answer = (incoming, response) => {
      incoming.resume()
      response.writeHead(415, { 'Content-Type': 'application/json' }).end('{"code":"unsupported_type"}')
    }
    expect(await sendBlindly(39, `Connection: ${connection}`)).toMatch(/^HTTP\/1\.1 415 [^]*unsupported_type/)
  },
)

test('When a service is away, a client that is still sending reads that', async () => {
  peer.answer = (incoming) => incoming.destroy()
  expect(await sendBlindly(39, 'Connection: close')).toMatch(/^HTTP\/1\.1 502 [^]*bad_gateway/)
})

test('When the client goes away in mid-upload, the service sees it at once', async () => {
  const seen = Promise.withResolvers<{ incoming: IncomingMessage }>()
  peer.answer = (incoming) => {
    incoming.resume()
    seen.resolve({ incoming })
  }
  const outgoing = startUpload({ 'Content-Length': 100 * MB })
  outgoing.on('error', () => undefined)
  await write(outgoing, megabyte)
  const { incoming } = await seen.promise
  outgoing.destroy()
  await eventually(() => incoming.destroyed && !incoming.complete, 'the abort', 2_000)
})

test('When the client goes away while it waits for the answer, the service sees that too', async () => {
  const seen = Promise.withResolvers<ServerResponse>()
  peer.answer = (incoming, response) => {
    incoming.resume()
    seen.resolve(response)
  }
  const { hostname, port } = new URL(gateway.url)
  const outgoing = request({ hostname, port, path: '/api/users', agent: false }).end()
  outgoing.on('error', () => undefined)
  const response = await seen.promise
  outgoing.destroy()
  await eventually(() => response.destroyed, 'the abort', 2_000)
})
