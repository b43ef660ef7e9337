import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomBytes } from 'node:crypto'
import { Agent, type OutgoingHttpHeaders } from 'node:http'
import type { ServiceProcess } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import {
  redisUrl,
  send,
  SHELL,
  startGateway,
  startPeer,
  startRelay,
  type Answer,
  type Peer,
} from './stand.ts'

let peer: Peer
let gateway: ServiceProcess
const agent = new Agent({ keepAlive: true, maxSockets: 20 })

beforeAll(async () => {
  peer = await startPeer((incoming, response) => {
    incoming.resume().on('end', () => response.end('{}'))
  })
  gateway = await startGateway(peer.url, {
    TRUSTED_PROXY_HOPS: '1',
    GUEST_REQUESTS_PER_MINUTE: '20',
    MEMBER_REQUESTS_PER_MINUTE: '30',
    ADDRESS_REQUESTS_PER_MINUTE: '40',
    ADDRESS_CEILING_PER_MINUTE: '100',
    GUEST_TOKENS_PER_MINUTE: '5',
  })
})
afterAll(async () => {
  agent.destroy()
  await gateway.stop()
  await peer.close()
})

// Counters last a minute, so each test comes from an address that no other has.
const newAddress = (): string =>
  `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`

const EVENT = 'GET /api/events/0123456789abcdef01234567'
const from = (
  address: string,
  line = EVENT,
  headers: OutgoingHttpHeaders = {},
  base = gateway,
): Promise<Answer> => send(base.url, line, { agent, headers: { 'X-Forwarded-For': address, ...headers } })

const newToken = async (base = gateway): Promise<string> => {
  const { headers } = await from(newAddress(), EVENT, {}, base)
  return String(headers['x-guest-token'])
}
const statuses = async (times: number, make: () => Promise<Answer>): Promise<number[]> => {
  const answers: number[] = []
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      while (times-- > 0) answers.push((await make()).status)
    }),
  )
  return answers
}
const refusals = (all: number[]): number => all.filter((status) => status === 429).length

test('A guest without a token is given one with the event and with an upload, and a browser may read it', async () => {
  for (const line of [EVENT, 'POST /api/uploads']) {
    const { headers } = await from(newAddress(), line, { Origin: SHELL })
    expect(headers['x-guest-token']).toMatch(/^[\w-]{22}\.[\w-]{43}$/)
    expect(headers['access-control-expose-headers']).toContain('X-Guest-Token')
  }
})

test('Who has a token keeps it, and a member or another call gets none', async () => {
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

test('A token that the gateway did not make counts as none', async () => {
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

test('The service does not see the token', async () => {
  let seen: unknown = 'nothing'
  const plain = peer.answer
  peer.answer = (incoming, response) => {
    seen = incoming.headers['x-guest-token']
    response.end('{}')
  }
  await from(newAddress(), EVENT, { 'X-Guest-Token': await newToken() })
  peer.answer = plain
  expect(seen).toBeUndefined()
})

test('An address gets only so many tokens, and then is served without', async () => {
  const address = newAddress()
  const answers = await Promise.all(Array.from({ length: 12 }, () => from(address)))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(answers.filter(({ headers }) => headers['x-guest-token'])).toHaveLength(5)
})

test('A guest who makes too many calls is refused with Retry-After, and his neighbours are not', async () => {
  const address = newAddress()
  const [abuser, neighbour] = [await newToken(), await newToken()]
  const hammering = await statuses(300, () => from(address, EVENT, { 'X-Guest-Token': abuser }))
  expect(refusals(hammering)).toBe(280)
  const refused = await from(address, EVENT, { 'X-Guest-Token': abuser, Origin: SHELL })
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'access-control-allow-origin': SHELL, 'cache-control': 'no-store' },
    json: { code: 'too_many_requests', message: 'Too many requests. Please try again in a moment.' },
  })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
  expect(refusals(await statuses(20, () => from(address, EVENT, { 'X-Guest-Token': neighbour })))).toBe(0)
})

test('Members are counted by their token', async () => {
  const address = newAddress()
  const member = () => ({ Authorization: `Bearer ${randomBytes(9).toString('hex')}` })
  const [one, other] = [member(), member()]
  expect(refusals(await statuses(40, () => from(address, 'GET /api/users', one)))).toBe(10)
  expect(refusals(await statuses(30, () => from(address, 'GET /api/users', other)))).toBe(0)
})

test('Who cannot be told apart is counted by address, an IPv6 network as one', async () => {
  const address = newAddress()
  const network = address.replace('::1', '')
  const spread = await statuses(50, () =>
    from(`${network}:${randomBytes(2).toString('hex')}::2`, 'GET /api/users'),
  )
  expect(refusals(spread)).toBe(10)
  expect(refusals(await statuses(40, () => from(newAddress(), 'GET /api/users')))).toBe(0)
})

test('Over everything an address has a ceiling, which made-up credentials do not lift', async () => {
  const address = newAddress()
  const all = await statuses(120, () =>
    from(address, 'GET /api/users', { Authorization: randomBytes(9).toString('hex') }),
  )
  expect(refusals(all)).toBe(20)
})

test('Calls for nothing count too', async () => {
  expect(refusals(await statuses(50, () => from('198.51.100.9', 'GET /nothing')))).toBe(10)
})

test('With the standard limits, 2,000 uploads in a minute from one address pass without any token', async () => {
  const standard = await startGateway(peer.url)
  const all = await statuses(2_000, () =>
    send(standard.url, 'POST /api/uploads', { agent, body: 'a small photo' }),
  )
  expect(all.filter((status) => status !== 200)).toEqual([])
  await standard.stop()
})

test('With the standard limits, 500 guests and one abuser share an address: only the abuser is refused', async () => {
  const standard = await startGateway(peer.url)
  const call = (token?: string) =>
    send(standard.url, EVENT, { agent, headers: token ? { 'X-Guest-Token': token } : {} })
  const tokens: string[] = []
  await statuses(501, async () => {
    const answer = await call()
    tokens.push(String(answer.headers['x-guest-token']))
    return answer
  })
  expect(new Set(tokens).size).toBe(501)
  const [abuser, ...guests] = tokens as [string, ...string[]]
  let turn = 0
  const [hammering, patient] = await Promise.all([
    statuses(3_000, () => call(abuser)),
    statuses(3_000, () => call(guests[(turn += 1) % guests.length])),
  ])
  expect(refusals(hammering)).toBeGreaterThanOrEqual(3_000 - 2 * 600)
  expect(refusals(hammering)).toBeLessThanOrEqual(2_400)
  expect(patient.filter((status) => status !== 200)).toEqual([])
  await standard.stop()
})

test('While Redis is frozen or away, calls pass quickly and limits hold locally; then it counts again', async () => {
  const url = redisUrl()
  const relay = await startRelay(url)
  const log: string[] = []
  const standing = await startGateway(
    peer.url,
    { REDIS_URL: relay.url, GUEST_REQUESTS_PER_MINUTE: '20', TRUSTED_PROXY_HOPS: '1' },
    (line) => log.push(line),
  )
  const address = newAddress()
  const token = await newToken(standing)
  relay.freeze()
  const started = performance.now()
  expect((await from(address, EVENT, {}, standing)).status).toBe(200)
  expect(performance.now() - started).toBeLessThan(1_500)

  await eventually(() => log.some((line) => line.includes('redis away')), 'the gateway notices')
  await eventually(async () => {
    const before = performance.now()
    await from(address, 'GET /api/users', {}, standing)
    return performance.now() - before < 100
  }, 'no waiting any more')
  const hammering = await statuses(100, () => from(address, EVENT, { 'X-Guest-Token': token }, standing))
  expect(refusals(hammering)).toBe(80)
  expect((await send(standing.url, 'GET /readyz')).status).toBe(200)

  relay.thaw()
  await eventually(() => log.some((line) => line.includes('redis back')), 'the gateway is connected again')
  // The abuse was counted locally, in Redis nothing is.
  expect((await from(address, EVENT, { 'X-Guest-Token': token }, standing)).status).toBe(200)
  await standing.stop()
  relay.close()
})

test('Without any Redis at all the gateway starts and serves', async () => {
  const alone = await startGateway(peer.url, { REDIS_URL: 'redis://127.0.0.1:1' })
  expect((await send(alone.url, EVENT)).status).toBe(200)
  expect((await send(alone.url, 'GET /readyz')).status).toBe(200)
  await alone.stop()
})
