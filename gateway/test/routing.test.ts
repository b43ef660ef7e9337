import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import {
  errorBody,
  internalRoutes,
  publicRoutes,
  serviceRoutes,
  type RouteContract,
} from '@confetti/contracts'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import { send, sendRaw, startGateway, startUpstream, type TestResponse, type Upstream } from './harness.ts'

const names = ['auth', 'events', 'uploads', 'contact', 'notifications', 'live'] as const
const upstreams = {} as Record<(typeof names)[number], Upstream>
let gateway: ServiceProcess
const log: string[] = []

const id = '0123456789abcdef01234567'
const fill = (path: string): string => path.replaceAll(/\{\w+\}/g, id)

beforeAll(async () => {
  for (const name of names)
    upstreams[name] = await startUpstream((_, response) => response.end(JSON.stringify({ service: name })))
  gateway = await startGateway(
    upstreams.auth.url,
    {
      EVENTS_URL: upstreams.events.url,
      UPLOADS_URL: upstreams.uploads.url,
      CONTACT_URL: upstreams.contact.url,
      NOTIFICATIONS_URL: upstreams.notifications.url,
      LIVE_URL: upstreams.live.url,
    },
    { onLine: (line) => log.push(line) },
  )
})
afterAll(async () => {
  await gateway.stop()
  await Promise.all(names.map((name) => upstreams[name].close()))
})
beforeEach(() => {
  for (const name of names) upstreams[name].requests.length = 0
})

const forwarded = (): string[] => names.flatMap((name) => upstreams[name].requests)

const expectRejection = (response: TestResponse, ...statuses: number[]): void => {
  expect(statuses).toContain(response.status)
  expect(response.json).toEqual(errorBody.parse(response.json))
  expect(response.headers['x-request-id']).toBe(response.json.requestId)
  expect(forwarded()).toEqual([])
}

test('When a public route is requested, then its service receives path and query as sent', async () => {
  // It handles its own by itself.
  const { gateway: _, ...forwardedRoutes } = serviceRoutes
  for (const service of names)
    for (const { method, path } of Object.values<RouteContract>(forwardedRoutes[service])) {
      const line = `${method.toUpperCase()} ${fill(path)}?_ts=17&q=a%20b//c?d`
      const { json } = await send(gateway.url, line)
      expect(json).toEqual({ service })
      expect(upstreams[service].requests).toContain(line)
    }
})

test('When the headers of a download are requested, then its service receives the request', async () => {
  const line = `HEAD ${fill(publicRoutes.downloadArchive.path)}`
  expect((await send(gateway.url, line)).status).toBe(200)
  expect(forwarded()).toEqual([line])
})

test('When an internal route or metrics are requested from outside, then they are not found', async () => {
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
  for (const path of paths) expectRejection(await send(gateway.url, `GET ${path}`), 404)
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
])('When the path is %s, then it is not found', async (path) => {
  expectRejection(await send(gateway.url, `GET ${path}`), 404)
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
])('When the request target is %s, then it is rejected', async (path) => {
  expectRejection(await send(gateway.url, `GET ${path}`), 400)
})

test('When an id has encoded characters, then the service receives them as sent', async () => {
  const { status } = await send(gateway.url, 'GET /api/events/caf%C3%A9%20x')
  expect(status).toBe(200)
  expect(forwarded()).toEqual(['GET /api/events/caf%C3%A9%20x'])
})

test('When the method is not one of the path, then it is rejected, and Allow lists the methods', async () => {
  for (const [line, allow] of [
    ['HEAD /api/users', 'GET'],
    ['PUT /api/users', 'GET'],
    ['PATCH /api/auth/login', 'POST'],
    ['POST /api/events/active', 'GET, PATCH, DELETE'],
    ['TRACE /api/contact-admin', 'POST, GET'],
    [`GET /api/admin/uploads/${id}`, 'DELETE'],
  ] as const) {
    const response = await send(gateway.url, line)
    expect(response).toMatchObject({ status: 405, headers: { allow } })
    if (!line.startsWith('HEAD')) expectRejection(response, 405)
  }
  expect(forwarded()).toEqual([])
})

test('When the path is unknown, then every method is not found', async () => {
  expect((await send(gateway.url, 'HEAD /internal/users/x')).status).toBe(404)
  expectRejection(await send(gateway.url, 'PROPFIND /api/nothing'), 404)
})

test('When health routes are requested, then the gateway responds itself', async () => {
  expect((await send(gateway.url, 'GET /healthz')).json).toEqual({ status: 'ok' })
  expect((await send(gateway.url, 'GET /readyz')).status).toBe(200)
  expect(forwarded()).toEqual([])
})

test('When requests are forwarded, then every line of the log is JSON', async () => {
  await send(gateway.url, `GET /api/events/${id}`)
  await send(gateway.url, 'POST /api/auth/login', { body: '{}' })
  await eventually(() => log.some((line) => line.includes('"path":"/api/auth/login"')), 'both are logged')
  for (const line of log) expect(() => void JSON.parse(line)).not.toThrow()
})

test('When metrics are requested on their port, then they count by route', async () => {
  await send(gateway.url, `GET /api/events/${id}`)
  const text = await (await fetch(gateway.metricsUrl)).text()
  expect(text).toContain('route="GET /api/events/{eventId}",status="200"')
})

test('When the gateway rejects requests, then they are counted by error code', async () => {
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

const postRequest = (head: string, body = ''): string =>
  `POST /api/auth/login HTTP/1.1\r\nHost: gateway\r\n${head}\r\n\r\n${body}`
const hiddenRequest = 'GET /internal/users/1 HTTP/1.1\r\nHost: x\r\n\r\n'

test.each([
  [
    'both lengths',
    postRequest('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hiddenRequest}`),
  ],
  ['two different lengths', postRequest('Content-Length: 4\r\nContent-Length: 40', hiddenRequest)],
  ['a signed length', postRequest('Content-Length: +4', hiddenRequest)],
  ['a strange encoding', postRequest('Transfer-Encoding: xchunked', hiddenRequest)],
  ['a padded encoding name', postRequest('Transfer-Encoding : chunked', `0\r\n\r\n${hiddenRequest}`)],
  ['chunked not last', postRequest('Transfer-Encoding: chunked, identity', `0\r\n\r\n${hiddenRequest}`)],
  ['bytes outside ASCII in its target', 'GET /api/users?a=\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a bare line feed in a chunk size', postRequest('Transfer-Encoding: chunked', `0\n\r\n${hiddenRequest}`)],
])('When a request has %s, then it is rejected and nothing of it is forwarded', async (_, text) => {
  const received = await sendRaw(gateway.url, text)
  expect(received).toMatch(/^HTTP\/1\.1 400 /)
  expect(forwarded()).toEqual([])
})

test('When a GET request has a body, then it is rejected, as the body could pass for a second request', async () => {
  for (const head of ['Content-Length: 50', 'Transfer-Encoding: chunked']) {
    const received = await sendRaw(
      gateway.url,
      `GET /api/users HTTP/1.1\r\nHost: x\r\nConnection: close, ${head.split(':')[0]}\r\n${head}\r\n\r\n${head.startsWith('T') ? '0\r\n\r\n' : 'x'.repeat(50)}`,
    )
    expect(received).toMatch(/^HTTP\/1\.1 400 /)
    expect(forwarded()).toEqual([])
  }
})
