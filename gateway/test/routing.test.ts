import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { errorBody, internalRoutes, publicRoutes } from '@confetti/contracts'
import type { ServiceProcess } from '@confetti/launcher'
import { send, sendRaw, startGateway, startPeer, type Peer } from './stand.ts'

const names = ['auth', 'events', 'uploads', 'contact'] as const
const peers = {} as Record<(typeof names)[number], Peer>
let gateway: ServiceProcess

const id = '0123456789abcdef01234567'
const fill = (path: string): string => path.replaceAll(/\{\w+\}/g, id)

beforeAll(async () => {
  for (const name of names)
    peers[name] = await startPeer((_, response) => response.end(JSON.stringify({ service: name })))
  gateway = await startGateway(peers.auth.url, {
    EVENTS_URL: peers.events.url,
    UPLOADS_URL: peers.uploads.url,
    CONTACT_URL: peers.contact.url,
  })
})
afterAll(async () => {
  await gateway.stop()
  await Promise.all(names.map((name) => peers[name].close()))
})
beforeEach(() => {
  for (const name of names) peers[name].calls.length = 0
})

const forwarded = (): string[] => names.flatMap((name) => peers[name].calls)

const expectRefusal = (answer: Awaited<ReturnType<typeof send>>, ...statuses: number[]): void => {
  expect(statuses).toContain(answer.status)
  expect(answer.json).toEqual(errorBody.parse(answer.json))
  expect(answer.headers['x-request-id']).toBe(answer.json.requestId)
  expect(forwarded()).toEqual([])
}

const expected = [
  ['auth', ['register', 'login', 'refresh', 'logout', 'listUsers']],
  [
    'events',
    [
      'listActiveEvents',
      'listUpcomingEvents',
      'listPastEvents',
      'createEvent',
      'getEvent',
      'createQrCode',
      'listMyEvents',
    ],
  ],
  ['uploads', ['createUploads', 'listEventUploads', 'listMyEventUploads', 'deleteUpload']],
  ['contact', ['contactAdmin', 'listContacts']],
] as const

test('Each public call reaches its service, path and query as sent', async () => {
  expect(expected.flatMap(([, ids]) => [...ids]).sort()).toEqual(Object.keys(publicRoutes).sort())
  for (const [service, ids] of expected)
    for (const operation of ids) {
      const { method, path } = publicRoutes[operation]
      const line = `${method.toUpperCase()} ${fill(path)}?_ts=17&q=a%20b//c?d`
      const answer = await send(gateway.url, line)
      expect(answer.json).toEqual({ service })
      expect(peers[service].calls).toContain(line)
    }
})

test('Calls between services, metrics and the like are not there from outside', async () => {
  const paths = [
    ...Object.values(internalRoutes).map(({ path }) => fill(path)),
    '/',
    '/api',
    '/api/',
    '/metrics',
    '/.well-known/jwks.json',
    '/api/auth',
    '/api/auth/healthz',
    '/api/auth/login/more',
    '/api/users/readyz',
    '/api/uploads/internal',
    `/api/events/${id}/internal`,
  ]
  for (const path of paths) expectRefusal(await send(gateway.url, `GET ${path}`), 404)
})

test.each([
  '/api/../internal/users/x',
  '/api/users/../../internal/users/x',
  '/api/users/..',
  '/api/users/.',
  '/api/./users',
  '/api/events/..',
  '/api/events/.',
  '/api/events/%2e%2e',
  '/api/events/%2E',
  '/api/events/.%2e/internal',
  '/api/events/..%2f..%2finternal%2fusers',
  '/api/events/..%5c..%5cinternal',
  '/api/events/a%2fb',
  '/api/events/a%00b',
  '/api/events/a%0d%0aX-Evil:%201',
  '/api/events/',
  '//api/users',
  '/api//users',
  '/api/users/',
  '//internal/users/x',
  '/API/users',
  '/api/Users',
  '/api/events/ACTIVE',
  '/api/events/Past',
  '/api%2fusers',
  '/%61pi/users',
  '/api/%75sers',
  '/api/users;/../internal',
  '/api/users%20',
])('The path %s is not there', async (path) => {
  expectRefusal(await send(gateway.url, `GET ${path}`), 404)
})

test.each([
  '/api/events/%',
  '/api/events/%zz',
  '/api/events/%ff',
  '/api/events/%c3%28',
  '/api/events/%e0%a4%a',
  '/api\\users',
  '/api/users\\..\\internal',
  '/api/events/a#b',
  '/api/events/{x}',
  'http://elsewhere.test/api/users',
  '*',
])('The address %s cannot be read', async (path) => {
  expectRefusal(await send(gateway.url, `GET ${path}`), 400)
})

test('An encoded character in an id reaches the service as it was sent', async () => {
  const { status } = await send(gateway.url, 'GET /api/events/caf%C3%A9%20x')
  expect(status).toBe(200)
  expect(forwarded()).toEqual(['GET /api/events/caf%C3%A9%20x'])
})

test('Another method than the contracts name is refused, and the answer says which there are', async () => {
  for (const [line, allow] of [
    ['HEAD /api/users', 'GET'],
    ['PUT /api/users', 'GET'],
    ['PATCH /api/auth/login', 'POST'],
    ['POST /api/events/active', 'GET'],
    ['TRACE /api/contact-admin', 'POST, GET'],
    [`GET /api/admin/uploads/${id}`, 'DELETE'],
  ] as const) {
    const answer = await send(gateway.url, line)
    expect(answer).toMatchObject({ status: 405, headers: { allow } })
    if (!line.startsWith('HEAD')) expectRefusal(answer, 405)
  }
  expect(forwarded()).toEqual([])
})

test('HEAD, PUT and garbage methods on unknown paths are not there either', async () => {
  expect((await send(gateway.url, 'HEAD /internal/users/x')).status).toBe(404)
  expectRefusal(await send(gateway.url, 'PROPFIND /api/nothing'), 404)
})

test('The gateway answers its own health', async () => {
  expect((await send(gateway.url, 'GET /healthz')).json).toEqual({ status: 'ok' })
  expect((await send(gateway.url, 'GET /readyz')).status).toBe(200)
  expect(forwarded()).toEqual([])
})

test('Metrics have a port of their own and count by route', async () => {
  await send(gateway.url, `GET /api/events/${id}`)
  const text = await (await fetch(gateway.metricsUrl)).text()
  expect(text).toContain('route="GET /api/events/{eventId}",status="200"')
})

test('What the gateway refuses by itself is counted by its code', async () => {
  const counted = async (code: string): Promise<number> => {
    const text = await (await fetch(gateway.metricsUrl)).text()
    return Number(new RegExp(`gateway_refused_total{.*code="${code}".*} (\\d+)`).exec(text)?.[1] ?? 0)
  }
  const before = [await counted('not_found'), await counted('method_not_allowed')]
  await send(gateway.url, 'GET /api/nothing')
  await send(gateway.url, 'PUT /api/users')
  const after = [await counted('not_found'), await counted('method_not_allowed')]
  expect(after).toEqual(before.map((count) => count + 1))
})

const framed = (head: string, body = ''): string =>
  `POST /api/auth/login HTTP/1.1\r\nHost: gateway\r\n${head}\r\n\r\n${body}`
const second = 'GET /internal/users/1 HTTP/1.1\r\nHost: x\r\n\r\n'

test.each([
  ['both lengths', framed('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${second}`)],
  ['two different lengths', framed('Content-Length: 4\r\nContent-Length: 40', second)],
  ['a signed length', framed('Content-Length: +4', second)],
  ['a strange encoding', framed('Transfer-Encoding: xchunked', second)],
  ['a padded encoding name', framed('Transfer-Encoding : chunked', `0\r\n\r\n${second}`)],
  ['chunked not last', framed('Transfer-Encoding: chunked, identity', `0\r\n\r\n${second}`)],
  ['bytes in its address that are no text', 'GET /api/users?a=\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a bare line feed in a chunk size', framed('Transfer-Encoding: chunked', `0\n\r\n${second}`)],
])('A request with %s is refused and nothing of it is forwarded', async (_, text) => {
  const received = await sendRaw(gateway.url, text)
  expect(received).toMatch(/^HTTP\/1\.1 400 /)
  expect(forwarded().filter((call) => call.includes('internal'))).toEqual([])
})

test('A body on a call that takes none is not forwarded, where it could pass for a second request', async () => {
  for (const head of ['Content-Length: 50', 'Transfer-Encoding: chunked']) {
    const answer = await sendRaw(
      gateway.url,
      `GET /api/users HTTP/1.1\r\nHost: x\r\nConnection: close, ${head.split(':')[0]}\r\n${head}\r\n\r\n${head.startsWith('T') ? '0\r\n\r\n' : 'x'.repeat(50)}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(forwarded()).toEqual([])
  }
})
