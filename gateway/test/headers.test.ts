import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ServiceProcess } from '@confetti/launcher'
import { send, SHELL, startGateway, startUpstream, type Upstream } from './harness.ts'

let upstream: Upstream
let gateway: ServiceProcess
let behindProxy: ServiceProcess

beforeAll(async () => {
  upstream = await startUpstream()
  ;[gateway, behindProxy] = await Promise.all([
    startGateway(upstream.url, { MAX_JSON_BYTES: '1000', CONTACT_URL: 'http://127.0.0.1:1' }),
    startGateway(upstream.url, { TRUSTED_PROXY_HOPS: '1' }),
  ])
})
afterAll(async () => {
  await Promise.all([gateway.stop(), behindProxy.stop()])
  await upstream.close()
})

const uuid = /^[0-9a-f-]{36}$/

test('When a client sets headers about itself or its connection, then they do not reach the service', async () => {
  const { json } = await send(gateway.url, 'GET /api/users', {
    headers: {
      'X-Forwarded-For': '6.6.6.6',
      'X-Forwarded-Host': 'evil.test',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-User': 'admin',
      Forwarded: 'for=6.6.6.6',
      'X-Real-IP': '6.6.6.6',
      'X-User-Id': 'admin',
      'X-User-Role': 'admin',
      'X-Request-Id': 'client-made-this',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      tracestate: 'client=1',
      baggage: 'user=admin',
      Via: '1.1 elsewhere',
      TE: 'trailers',
      Upgrade: 'websocket',
      'Proxy-Authorization': 'Basic eDp5',
      'Proxy-Connection': 'keep-alive',
      'Keep-Alive': 'timeout=1',
      Connection: 'close, X-Named, x-request-id, Upgrade',
      'X-Named': 'by connection',
      Authorization: 'Bearer kept',
      'Cache-Control': 'no-cache',
      'If-None-Match': 'W/"kept"',
      'X-Wall-Key': 'kept',
      'X-Guest-Id': 'somebody',
      'X-Issued-Guest-Id': 'somebody',
    },
  })
  const { host, ...rest } = json.headers
  expect(host).toBe(new URL(upstream.url).host)
  expect(rest).toEqual({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': new URL(gateway.url).host,
    'x-request-id': expect.stringMatching(uuid),
    authorization: 'Bearer kept',
    'cache-control': 'no-cache',
    'if-none-match': 'W/"kept"',
    'x-wall-key': 'kept',
    connection: 'keep-alive',
  })
})

test('When Connection names Content-Length, then it is not removed', async () => {
  const { json } = await send(gateway.url, 'POST /api/auth/login', {
    headers: { Connection: 'close, content-length, transfer-encoding, host', 'Content-Length': '5' },
    body: '{"a":',
  })
  expect(json).toMatchObject({ bytes: 5, headers: { 'content-length': '5' } })
})

test('When there is one trusted proxy, then the address that it appended counts, not the client’s own', async () => {
  const { json } = await send(behindProxy.url, 'GET /api/users', {
    headers: { 'X-Forwarded-For': '6.6.6.6, 203.0.113.7', 'X-Forwarded-Proto': 'https' },
  })
  expect(json.headers).toMatchObject({ 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' })
  const garbage = await send(behindProxy.url, 'GET /api/users', {
    headers: { 'X-Forwarded-For': 'me, myself' },
  })
  expect(garbage.json.headers['x-forwarded-for']).toBe('127.0.0.1')
})

test('When the gateway responds, then the response has one request id, the one that the service received', async () => {
  upstream.handler = (request, response) => {
    response.setHeader('x-request-id', ['set-by-service', 'twice'])
    response.end(JSON.stringify({ id: request.headers['x-request-id'] }))
  }
  const ids = new Set<string>()
  for (const line of ['GET /api/users', 'GET /api/nothing', 'GET /api/contact-admin', 'OPTIONS /api/users']) {
    const response = await send(gateway.url, line, { headers: { 'X-Request-Id': 'client-made-this' } })
    const found = response.rawHeaders.filter((name) => name.toLowerCase() === 'x-request-id')
    expect(found).toHaveLength(1)
    const id = String(response.headers['x-request-id'])
    expect(id).toMatch(uuid)
    if (line === 'GET /api/users') expect(response.json).toEqual({ id })
    ids.add(id)
  }
  expect(ids.size).toBe(4)
})

test('When a service sets security headers, then those of the gateway take precedence', async () => {
  upstream.handler = (_, response) => {
    response.writeHead(200, {
      'X-Powered-By': 'something',
      'Access-Control-Allow-Origin': '*',
      'X-Content-Type-Options': 'whatever',
      'Keep-Alive': 'timeout=1',
      'Content-Type': 'application/json',
      ETag: '"kept"',
    })
    response.end('{}')
  }
  const { headers } = await send(gateway.url, 'GET /api/users', { headers: { Origin: SHELL } })
  expect(headers).toMatchObject({
    'access-control-allow-origin': SHELL,
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'strict-transport-security': expect.any(String),
    etag: '"kept"',
  })
  expect(headers['x-powered-by']).toBeUndefined()
})

test('When a client has an answer already, then it gets only the headers that may have changed', async () => {
  upstream.handler = (_, response) =>
    response.writeHead(304, { ETag: '"1"', 'Cache-Control': 'no-cache' }).end()
  const { headers } = await send(gateway.url, 'GET /api/users', { headers: { Origin: SHELL } })
  expect(Object.keys(headers).toSorted()).toEqual([
    'access-control-allow-origin',
    'access-control-expose-headers',
    'cache-control',
    'connection',
    'date',
    'etag',
    'vary',
    'x-request-id',
  ])
})

test('When a page of the shell sends a preflight request, then CORS allows it', async () => {
  const { status, headers } = await send(gateway.url, 'OPTIONS /api/events/x', {
    headers: {
      Origin: SHELL,
      'Access-Control-Request-Method': 'DELETE',
      'Access-Control-Request-Headers':
        'authorization,if-none-match,x-guest-token,x-guest-key,x-wall-key,x-event-pass',
    },
  })
  expect(status).toBe(204)
  expect(headers).toMatchObject({
    'access-control-allow-origin': SHELL,
    'access-control-allow-methods': 'GET,POST,PATCH,DELETE',
    'access-control-allow-headers':
      'Authorization,Content-Type,Cache-Control,Pragma,Expires,If-None-Match,Range,Last-Event-ID,X-Guest-Token,X-Guest-Key,X-Wall-Key,X-Event-Pass',
    'access-control-max-age': '7200',
  })
  expect(headers['access-control-allow-credentials']).toBeUndefined()
  expect(
    (await send(gateway.url, 'GET /api/nothing', { headers: { Origin: 'http://localhost:3000' } })).headers,
  ).toMatchObject({
    'access-control-allow-origin': 'http://localhost:3000',
  })
})

test('When another page calls, then CORS does not allow it', async () => {
  for (const Origin of ['http://evil.test', `${SHELL}.evil.test`, 'null', `${SHELL}:8080`]) {
    for (const line of ['OPTIONS /api/users', 'GET /api/users']) {
      const { headers } = await send(gateway.url, line, {
        headers: { Origin, 'Access-Control-Request-Method': 'GET' },
      })
      expect(headers['access-control-allow-origin']).toBeUndefined()
      expect(headers.vary).toContain('Origin')
    }
  }
})

test('When a request fails, then a page of the shell can read the error', async () => {
  const headers = { Origin: SHELL }
  for (const [response, status] of [
    [await send(gateway.url, 'POST /api/auth/login', { headers, body: 'x'.repeat(1_001) }), 413],
    [await send(gateway.url, 'GET /api/contact-admin', { headers }), 503],
    [await send(gateway.url, 'GET /api/nothing', { headers }), 404],
    [await send(gateway.url, 'PUT /api/users', { headers }), 405],
  ] as const)
    expect(response).toMatchObject({
      status,
      headers: {
        'access-control-allow-origin': SHELL,
        'access-control-expose-headers': 'X-Request-Id,Retry-After,ETag,X-Guest-Token',
        'cache-control': 'no-store',
      },
      json: { message: expect.any(String), code: expect.any(String) },
    })
})
