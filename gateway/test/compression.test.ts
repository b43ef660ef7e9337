import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import {
  request,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import { send, sendRaw, SHELL, startGateway, startUpstream, type Upstream } from './harness.ts'

let upstream: Upstream
let gateway: ServiceProcess

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startGateway(upstream.url)
})
afterAll(async () => {
  await gateway.stop()
  await upstream.close()
})

const GET_LIST = 'GET /api/events/0123456789abcdef01234567/gallery'
const list = JSON.stringify({
  uploads: Array.from({ length: 60 }, (_, i) => ({ photoCredit: `Guest ${i}` })),
})

/** Responds with JSON, or with what a test sets instead. */
const answer =
  (body: string | Buffer, headers: OutgoingHttpHeaders = {}, status = 200): RequestListener =>
  (_, response) => {
    response
      .writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        ...headers,
      })
      .end(body)
  }

const open = async (
  line: string,
  acceptEncoding: string | undefined,
  headers: OutgoingHttpHeaders = {},
  { url } = gateway,
): Promise<IncomingMessage> => {
  const [method, path] = line.split(' ')
  const { hostname, port } = new URL(url)
  const outgoing = request({
    hostname,
    port,
    method,
    path,
    agent: false,
    headers: { ...headers, ...(acceptEncoding !== undefined && { 'Accept-Encoding': acceptEncoding }) },
  })
  outgoing.on('error', () => undefined).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return response
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync }

const load = async (...parameters: Parameters<typeof open>) => {
  const response = await open(...parameters)
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }
}

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['gzip;q=0.5, br;q=0.8, identity;q=0.1', 'br'],
  ['br;q=0, *', 'gzip'],
] as const)(
  'When a client accepts "%s", then a list is compressed by %s',
  async (acceptEncoding, encoding) => {
    upstream.handler = answer(list)
    const { status, headers, body } = await load(GET_LIST, acceptEncoding, { Origin: SHELL })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'application/json; charset=utf-8',
      vary: 'Origin, Accept-Encoding',
    })
    expect(headers).not.toHaveProperty('content-length')
    expect(body.length).toBeLessThan(list.length / 2)
    expect(decoders[encoding](body).toString()).toBe(list)
  },
)

test.each([undefined, 'identity', 'zstd', 'gzip;q=0, br;q=0', 'br;q=0.5, identity'])(
  'When a client accepts "%s", then a list is not compressed',
  async (acceptEncoding) => {
    upstream.handler = answer(list)
    const { headers, body } = await load(GET_LIST, acceptEncoding)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers).toMatchObject({ 'content-length': String(list.length), vary: 'Origin, Accept-Encoding' })
    expect(body.toString()).toBe(list)
  },
)

test('When an answer has 1,000 bytes, then it is not compressed; one of more than 1 kB is', async () => {
  for (const [length, encoding] of [
    [1_000, undefined],
    [1_100, 'br'],
  ] as const) {
    upstream.handler = answer(JSON.stringify('x'.repeat(length - 2)))
    const { headers } = await load(GET_LIST, 'br')
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['content-length']).toBe(encoding ? undefined : String(length))
  }
})

const archive = `/api/archives/${'t'.repeat(40)}/photos.zip`

test.each<[string, { line?: string; body?: string; headers?: OutgoingHttpHeaders; status?: number }]>([
  ['an image', { headers: { 'Content-Type': 'image/jpeg' } }],
  ['an archive', { line: `GET ${archive}`, headers: { 'Content-Type': 'application/zip' } }],
  ['an archive of another type', { line: `GET ${archive}` }],
  ['tokens', { line: 'POST /api/auth/login' }],
  ['encoded already', { headers: { 'Content-Encoding': 'x-unknown' } }],
  ['not to be transformed', { headers: { 'Cache-Control': 'private, no-transform' } }],
  ['a part', { status: 206, headers: { 'Content-Range': `bytes 0-${list.length - 1}/${list.length}` } }],
  ['a response to HEAD', { line: `HEAD ${archive}`, body: '' }],
  ['no content', { status: 204, body: '' }],
  ['not modified', { status: 304, body: '', headers: { 'Content-Length': list.length } }],
])(
  'When an answer is %s, then it is not compressed',
  async (_, { line = GET_LIST, body = list, ...answered }) => {
    const headers: OutgoingHttpHeaders = { ETag: '"strong"', ...answered.headers }
    upstream.handler = answer(body, headers, answered.status)
    const received = await load(line, 'br, gzip')
    expect(received.status).toBe(answered.status ?? 200)
    expect(received.headers['content-encoding']).toBe(headers['Content-Encoding'])
    expect(received.headers.etag).toBe('"strong"')
    expect(received.body.toString()).toBe(body)
  },
)

test('When live updates are streamed, then they are not compressed, and arrive at once', async () => {
  const event = `data: ${'x'.repeat(2_000)}\n\n`
  upstream.handler = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(event)
  }
  const response = await open('GET /api/live/0123456789abcdef01234567', 'br, gzip')
  expect(response.headers).not.toHaveProperty('content-encoding')
  const [first] = (await once(response, 'data')) as [Buffer]
  expect(first.toString()).toBe(event)
  response.destroy()
})

test('When a client speaks HTTP/1.0, which has no chunks, then its answer has a length', async () => {
  upstream.handler = answer(list)
  const received = await sendRaw(
    gateway.url,
    `${GET_LIST} HTTP/1.0\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n`,
  )
  expect(received).toMatch(new RegExp(`content-length: ${list.length}`, 'i'))
  expect(received).not.toMatch(/content-encoding/i)
  expect(received).toContain(list)
})

test('When an answer is compressed, then its ETag is weak, and the client’s reaches the service', async () => {
  upstream.handler = (incoming, response) => {
    const headers = { ETag: '"1"' }
    if (incoming.headers['if-none-match'] === 'W/"1"') response.writeHead(304, headers).end()
    else answer(list, headers)(incoming, response)
  }
  const first = await load(GET_LIST, 'gzip')
  expect(first.headers).toMatchObject({ 'content-encoding': 'gzip', etag: 'W/"1"' })
  const second = await load(GET_LIST, 'gzip', { 'If-None-Match': 'W/"1"' })
  expect(second.status).toBe(304)
  expect(second.headers.vary).toBe('Origin, Accept-Encoding')
  upstream.handler = answer(list, { ETag: 'W/"2"' })
  expect((await load(GET_LIST, 'gzip')).headers.etag).toBe('W/"2"')
})

test('When the gateway answers itself, then long answers are compressed, and errors are not', async () => {
  const plain = await send(gateway.url, 'GET /api/openapi.json')
  const { headers, body } = await load('GET /api/openapi.json', 'gzip, br')
  expect(headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(body).toString()).toBe(plain.text)
  const script = await load('GET /api/docs/swagger-ui-bundle.js', 'gzip')
  expect(script.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(script.body).length).toBeGreaterThan(script.body.length)
  const part = await load('GET /api/docs/swagger-ui-bundle.js', 'gzip', { Range: 'bytes=5-9' })
  expect(part.status).toBe(200)
  const icon = await load('GET /api/docs/favicon-32x32.png', 'gzip')
  expect(icon.headers).not.toHaveProperty('content-encoding')
  const error = await load('GET /api/nothing', 'gzip')
  expect(error.headers).not.toHaveProperty('content-encoding')
  expect(error.headers['content-length']).toBe(String(error.body.length))
  expect(JSON.parse(error.body.toString())).toMatchObject({ code: 'not_found' })
})

const countedResponses = async (status: number): Promise<number> => {
  const text = await (await fetch(gateway.metricsUrl)).text()
  const name = `http_request_duration_seconds_count{[^}]*route="${GET_LIST.replace(/[0-9a-f]{24}/, '{eventId}')}"[^}]*status="${status}"[^}]*}`
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
}

// Text that does not become much shorter.
const randomText = (length: number): string => randomBytes(length / 2).toString('hex')

test.each(['br', 'gzip'])(
  'When a service disconnects during an answer that is compressed by %s, then the client is disconnected too',
  async (encoding) => {
    const [completed, aborted] = [await countedResponses(200), await countedResponses(499)]
    for (const headers of [{}, { 'Content-Length': 500_000 }]) {
      upstream.handler = (incoming, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', ...headers })
        response.write(randomText(200_000), () => incoming.socket.destroy())
      }
      await expect(load(GET_LIST, encoding)).rejects.toThrow(/aborted|socket hang up/)
    }
    await eventually(async () => (await countedResponses(499)) === aborted + 2, 'both are counted')
    upstream.handler = answer(list)
    await load(GET_LIST, encoding)
    await eventually(async () => (await countedResponses(200)) === completed + 1, 'it is counted')
  },
)

/** Sends random text for as long as it is read. */
const createEndlessText = () => {
  let sentBytes = 0
  let openAnswers = 0
  const handler: RequestListener = (_, response) => {
    openAnswers += 1
    response.once('close', () => (openAnswers -= 1))
    response.writeHead(200, { 'Content-Type': 'text/plain' })
    const write = (): void => {
      if (response.destroyed) return
      // Text that is repeated within the window of the compressor would vanish.
      const chunk = randomText(65_536)
      sentBytes += chunk.length
      if (response.write(chunk)) setImmediate(write)
    }
    response.on('drain', write)
    write()
  }
  return { handler, sentBytes: () => sentBytes, openAnswers: () => openAnswers }
}

const stalls = async (bytes: () => number): Promise<void> => {
  let previous = -1
  await eventually(() => {
    const isStalled = bytes() === previous
    previous = bytes()
    return isStalled
  }, 'the service is slowed down')
}

test.each(['br', 'gzip'])(
  'When a client reads slowly what is compressed by %s, then the service is slowed down, until it reads on or leaves',
  async (encoding) => {
    const text = createEndlessText()
    upstream.handler = text.handler
    const response = await open(GET_LIST, encoding)
    expect(response.headers['content-encoding']).toBe(encoding)
    await stalls(text.sentBytes)
    const sentBytes = text.sentBytes()
    let received = 0
    response.on('data', (chunk: Buffer) => (received += chunk.length))
    response.on('error', () => undefined)
    await eventually(() => text.sentBytes() > sentBytes && received > sentBytes, 'the rest arrives')
    response.pause()
    await stalls(text.sentBytes)
    response.destroy()
    await eventually(() => text.openAnswers() === 0, 'the request to the service is aborted')
  },
)

test('When many answers are unfinished, then 100 of them are compressed, and memory stays bounded', async () => {
  const other = await startGateway(upstream.url, {}, { isProcess: true })
  const residentMB = async (): Promise<number> => {
    const status = await readFile(`/proc/${other.pid()}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  }
  upstream.handler = answer(list)
  await load(GET_LIST, 'br', {}, other)
  const beforeMB = await residentMB()

  const answers: ServerResponse[] = []
  let openAnswers = 0
  upstream.handler = (_, response) => {
    answers.push(response)
    openAnswers += 1
    response.once('close', () => (openAnswers -= 1))
    response.writeHead(200, { 'Content-Type': 'text/plain' }).write(randomText(300_000))
  }
  const responses = await Promise.all(Array.from({ length: 300 }, () => open(GET_LIST, 'br', {}, other)))
  await eventually(() => answers.every((answer) => !answer.writableNeedDrain), 'all is forwarded')
  const encodings = responses.map(({ headers }) => headers['content-encoding'])
  expect(encodings.filter((encoding) => encoding === 'br')).toHaveLength(100)
  expect((await residentMB()) - beforeMB).toBeLessThan(250)

  for (const response of responses) response.destroy()
  await eventually(() => openAnswers === 0, 'their requests are aborted')
  upstream.handler = answer(list)
  await eventually(
    async () => (await load(GET_LIST, 'br', {}, other)).headers['content-encoding'] === 'br',
    'answers are compressed again',
  )
  await other.stop()
})
