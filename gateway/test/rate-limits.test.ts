import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'
import { Agent, type OutgoingHttpHeaders } from 'node:http'
import { newSigningKey, type ServiceProcess } from '@confetti/launcher'
import { eventually, startTcpProxy } from '@confetti/test-kit'
import {
  newRedisUrl,
  redisConnected,
  send,
  SHELL,
  startGateway,
  startUpstream,
  type TestResponse,
  type Upstream,
} from './harness.ts'

let upstream: Upstream
let gateway: ServiceProcess
const agent = new Agent({ keepAlive: true, maxSockets: 20 })

const signingKey = newSigningKey()
const privateKey = createPrivateKey({ key: signingKey, format: 'jwk' })
const publishedKeys = {
  keys: [{ ...createPublicKey(privateKey).export({ format: 'jwk' }), kid: signingKey.kid, alg: 'ES256' }],
}

beforeAll(async () => {
  upstream = await startUpstream((incoming, response) => {
    const isForKeys = incoming.url === '/.well-known/jwks.json'
    incoming.resume().on('end', () => response.end(isForKeys ? JSON.stringify(publishedKeys) : '{}'))
  })
  gateway = await startGateway(upstream.url, {
    TRUSTED_PROXY_HOPS: '1',
    GUEST_REQUESTS_PER_MINUTE: '20',
    MEMBER_REQUESTS_PER_MINUTE: '30',
    ADDRESS_REQUESTS_PER_MINUTE: '40',
    ADDRESS_TOTAL_REQUESTS_PER_MINUTE: '100',
    GUEST_TOKENS_PER_MINUTE: '5',
  })
})
afterAll(async () => {
  agent.destroy()
  await gateway.stop()
  await upstream.close()
})

// Counters last a minute, so each test uses addresses of its own.
const newAddress = (): string =>
  `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`

const EVENT = 'GET /api/events/0123456789abcdef01234567'
const from = (
  address: string,
  line = EVENT,
  headers: OutgoingHttpHeaders = {},
  base = gateway,
): Promise<TestResponse> =>
  send(base.url, line, { agent, headers: { 'X-Forwarded-For': address, ...headers } })

const newToken = async (base = gateway): Promise<string> => {
  const { headers } = await from(newAddress(), EVENT, {}, base)
  return String(headers['x-guest-token'])
}
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
/** The Authorization header of a session that auth has issued. */
const sessionOf = (userId: string, expiresInSeconds = 900): { Authorization: string } => {
  const now = Math.floor(Date.now() / 1_000)
  const header = { alg: 'ES256', kid: signingKey.kid }
  const claims = {
    sub: userId,
    email: `${userId}@confetti.test`,
    role: 'user',
    revision: 0,
    // Two tokens of one account differ.
    jti: randomBytes(9).toString('hex'),
    iat: now - 1_000,
    exp: now + expiresInSeconds,
    iss: 'confetti',
    aud: 'confetti-api',
  }
  const text = `${encode(header)}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return { Authorization: `Bearer ${text}.${signature.toString('base64url')}` }
}
const newUserId = (): string => randomBytes(12).toString('hex')

const statuses = async (times: number, makeRequest: () => Promise<TestResponse>): Promise<number[]> => {
  const collected: number[] = []
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      while (times-- > 0) collected.push((await makeRequest()).status)
    }),
  )
  return collected
}
const rejections = (all: number[]): number => all.filter((status) => status === 429).length

test('When a guest without a token opens an event or uploads, then it gets a token that a browser may read', async () => {
  for (const line of [EVENT, 'POST /api/uploads']) {
    const { headers } = await from(newAddress(), line, { Origin: SHELL })
    expect(headers['x-guest-token']).toMatch(/^[\w-]{22}\.[\w-]{43}$/)
    expect(headers['access-control-expose-headers']).toContain('X-Guest-Token')
  }
})

test('When a request has a token, is a member’s or is for another route, then it gets no token', async () => {
  const token = await newToken()
  const address = newAddress()
  for (const [line, headers] of [
    [EVENT, { 'X-Guest-Token': token }],
    ['POST /api/uploads', { 'X-Guest-Token': token }],
    [EVENT, { Authorization: 'Bearer x' }],
    ['GET /api/users', {}],
    ['POST /api/auth/login', {}],
  ] as const)
    expect((await from(address, line, headers)).headers['x-guest-token']).toBeUndefined()
})

test('When a token was not issued by the gateway, then it counts as none', async () => {
  const token = await newToken()
  const [id, signature] = token.split('.') as [string, string]
  for (const forged of [
    'x',
    id,
    `${id}.`,
    `${randomBytes(16).toString('base64url')}.${signature}`,
    `${id}.${randomBytes(32).toString('base64url')}`,
    `${token}, ${token}`,
    `${token}x`,
  ])
    expect(
      (await from(newAddress(), EVENT, { 'X-Guest-Token': forged })).headers['x-guest-token'],
    ).toBeDefined()
})

test('When a request has a token, then the service does not receive it', async () => {
  let receivedToken: unknown = 'none'
  const { handler } = upstream
  upstream.handler = (incoming, response) => {
    receivedToken = incoming.headers['x-guest-token']
    response.end('{}')
  }
  await from(newAddress(), EVENT, { 'X-Guest-Token': await newToken() })
  upstream.handler = handler
  expect(receivedToken).toBeUndefined()
})

test('When a guest has a token or gets one with the answer, then the service receives its id, and no id that a client has made up', async () => {
  const { handler } = upstream
  const received: unknown[] = []
  upstream.handler = (incoming, response) => {
    received.push(incoming.headers['x-guest-id'], incoming.headers['x-issued-guest-id'])
    response.end('{}')
  }
  const madeUp = { 'X-Guest-Id': 'made-up', 'X-Issued-Guest-Id': 'made-up' }
  const token = await newToken()
  const [id] = token.split('.')
  expect(received.splice(0)).toEqual([undefined, id])
  await from(newAddress(), EVENT, { 'X-Guest-Token': token, ...madeUp })
  expect(received.splice(0)).toEqual([id, undefined])
  const { headers } = await from(newAddress(), 'POST /api/uploads', madeUp)
  expect(received.splice(0)).toEqual([undefined, String(headers['x-guest-token']).split('.')[0]])
  await from(newAddress(), 'GET /api/guest/uploads', madeUp)
  expect(received).toEqual([undefined, undefined])
  upstream.handler = handler
})

test('When an address has had too many tokens, then it is served without', async () => {
  const address = newAddress()
  const responses = await Promise.all(Array.from({ length: 12 }, () => from(address)))
  expect(responses.every(({ status }) => status === 200)).toBe(true)
  expect(responses.filter(({ headers }) => headers['x-guest-token'])).toHaveLength(5)
})

test('When a guest makes too many requests, then only that guest is rejected, with Retry-After', async () => {
  const address = newAddress()
  const [abuser, neighbour] = [await newToken(), await newToken()]
  const abuse = await statuses(300, () => from(address, EVENT, { 'X-Guest-Token': abuser }))
  expect(rejections(abuse)).toBe(280)
  const rejected = await from(address, EVENT, { 'X-Guest-Token': abuser, Origin: SHELL })
  expect(rejected).toMatchObject({
    status: 429,
    headers: { 'access-control-allow-origin': SHELL, 'cache-control': 'no-store' },
    json: { code: 'too_many_requests', message: 'Too many requests. Please try again in a moment.' },
  })
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect(Number(rejected.headers['retry-after'])).toBeLessThanOrEqual(60)
  expect(rejections(await statuses(20, () => from(address, EVENT, { 'X-Guest-Token': neighbour })))).toBe(0)
})

test('When guests and members with genuine tokens make more requests than their address may, then all are served', async () => {
  const address = newAddress()
  const guests = await Promise.all(Array.from({ length: 5 }, () => newToken()))
  const members = Array.from({ length: 4 }, () => sessionOf(newUserId()))
  const callers = [...guests.map((token) => ({ 'X-Guest-Token': token })), ...members]
  let next = 0
  const all = await statuses(180, () =>
    from(address, 'GET /api/myevents', callers[(next += 1) % callers.length]),
  )
  expect(rejections(all)).toBe(0)
  // They have not used up what others at their address have.
  expect(rejections(await statuses(40, () => from(address, 'GET /api/users')))).toBe(0)
})

test('When a member makes too many requests with genuine tokens, then only that account is rejected', async () => {
  const address = newAddress()
  const userId = newUserId()
  const both = [sessionOf(userId), sessionOf(userId)]
  let next = 0
  const abuse = await statuses(50, () => from(address, 'GET /api/myevents', both[(next += 1) % both.length]))
  expect(rejections(abuse)).toBe(20)
  const other = sessionOf(newUserId())
  expect(rejections(await statuses(30, () => from(address, 'GET /api/myevents', other)))).toBe(0)
})

test('When sessions are expired or forged, then they count against their address', async () => {
  const stale = Array.from({ length: 12 }, () => sessionOf(newUserId(), -1))
  const forged = Array.from({ length: 12 }, () => {
    const [text = ''] = /^.*\./.exec(sessionOf(newUserId()).Authorization) ?? []
    return { Authorization: text + randomBytes(64).toString('base64url') }
  })
  for (const headers of [stale, forged]) {
    const address = newAddress()
    let next = 0
    const all = await statuses(120, () =>
      from(address, 'GET /api/myevents', headers[(next += 1) % headers.length]),
    )
    expect(rejections(all)).toBe(20)
  }
})

test('When members make requests, then they are counted by their token', async () => {
  const address = newAddress()
  const member = () => ({ Authorization: `Bearer ${randomBytes(9).toString('hex')}` })
  const [one, other] = [member(), member()]
  expect(rejections(await statuses(40, () => from(address, 'GET /api/users', one)))).toBe(10)
  expect(rejections(await statuses(30, () => from(address, 'GET /api/users', other)))).toBe(0)
})

test('When requests carry no token, then they are counted by address, an IPv6 network as one', async () => {
  const address = newAddress()
  const network = address.replace('::1', '')
  const spread = await statuses(50, () =>
    from(`${network}:${randomBytes(2).toString('hex')}::2`, 'GET /api/users'),
  )
  expect(rejections(spread)).toBe(10)
  expect(rejections(await statuses(40, () => from(newAddress(), 'GET /api/users')))).toBe(0)
})

test('When an address makes requests with invented credentials, then its total limit still applies', async () => {
  const address = newAddress()
  const all = await statuses(120, () =>
    from(address, 'GET /api/users', { Authorization: randomBytes(9).toString('hex') }),
  )
  expect(rejections(all)).toBe(20)
})

test('When requests are for unknown paths, then they count too', async () => {
  expect(rejections(await statuses(50, () => from('198.51.100.9', 'GET /nothing')))).toBe(10)
})

test('When limits have their defaults, then a hall of 5,000 guests at one address gets its tokens at once', async () => {
  const withDefaults = await startGateway(upstream.url)
  let tokens = 0
  let next = 0
  const all = await statuses(5_000, async () => {
    const line = (next += 1) % 5 === 0 ? 'POST /api/uploads' : EVENT
    const response = await send(withDefaults.url, line, { agent })
    if (response.headers['x-guest-token']) tokens += 1
    return response
  })
  expect([tokens, all.filter((status) => status !== 200)]).toEqual([5_000, []])
  await withDefaults.stop()
})

test('When 500 guests and one abuser share an address, then only the abuser is rejected, with default limits', async () => {
  const withDefaults = await startGateway(upstream.url)
  const request = (token?: string) =>
    send(withDefaults.url, EVENT, { agent, headers: token ? { 'X-Guest-Token': token } : {} })
  const tokens: string[] = []
  await statuses(501, async () => {
    const response = await request()
    tokens.push(String(response.headers['x-guest-token']))
    return response
  })
  expect(new Set(tokens).size).toBe(501)
  const [abuser, ...guests] = tokens as [string, ...string[]]
  let next = 0
  const [abuse, other] = await Promise.all([
    statuses(1_500, () => request(abuser)),
    statuses(1_500, () => request(guests[(next += 1) % guests.length])),
  ])
  expect(rejections(abuse)).toBeGreaterThanOrEqual(1_500 - 2 * 600)
  expect(rejections(abuse)).toBeLessThanOrEqual(900)
  expect(other.filter((status) => status !== 200)).toEqual([])
  await withDefaults.stop()
})

test('When Redis hangs, then requests pass quickly, limits apply per replica, and a metric shows it, until it is back', async () => {
  const url = newRedisUrl()
  const redisProxy = await startTcpProxy(url)
  const log: string[] = []
  const other = await startGateway(
    upstream.url,
    { REDIS_URL: redisProxy.url, GUEST_REQUESTS_PER_MINUTE: '20', TRUSTED_PROXY_HOPS: '1' },
    { onLine: (line) => log.push(line) },
  )
  const address = newAddress()
  const token = await newToken(other)
  await eventually(async () => (await redisConnected(other)) === 1, 'the gateway connects')
  redisProxy.setMode('hang')
  const started = performance.now()
  expect((await from(address, EVENT, {}, other)).status).toBe(200)
  // Far below the limits of a request: without a time limit, it would wait for Redis.
  expect(performance.now() - started).toBeLessThan(30_000)

  await eventually(
    () => log.some((line) => line.includes('redis disconnected')),
    'the gateway detects the hang',
  )
  expect(await redisConnected(other)).toBe(0)
  await eventually(async () => {
    const before = performance.now()
    await from(address, 'GET /api/users', {}, other)
    return performance.now() - before < 100
  }, 'requests no longer wait')
  const abuse = await statuses(100, () => from(address, EVENT, { 'X-Guest-Token': token }, other))
  expect(rejections(abuse)).toBe(80)
  expect((await send(other.url, 'GET /readyz')).status).toBe(200)

  redisProxy.setMode('pass')
  await eventually(() => log.some((line) => line.includes('redis reconnected')), 'the gateway reconnects')
  await eventually(async () => (await redisConnected(other)) === 1)
  // The abuse was counted by the replica alone, not in Redis. When Redis is slow, the replica's counter, which is full,
  // is used again; a minute later it would be empty.
  await eventually(
    async () => (await from(address, EVENT, { 'X-Guest-Token': token }, other)).status === 200,
    'a request that Redis counts',
    30_000,
  )
  await other.stop()
  await redisProxy.close()
})

test('When Redis is unavailable, then the gateway starts and serves requests', async () => {
  const withoutRedis = await startGateway(upstream.url, { REDIS_URL: 'redis://127.0.0.1:1' })
  expect((await send(withoutRedis.url, EVENT)).status).toBe(200)
  expect((await send(withoutRedis.url, 'GET /readyz')).status).toBe(200)
  await withoutRedis.stop()
})
