import type { ServiceProcess } from '@confetti/launcher'
import { readCounter } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { send, SHELL, startGateway, startUpstream, type TestResponse, type Upstream } from './harness.ts'

const eventId = '6b03b0c58bddcb2b37aa5f39'
let upstream: Upstream
let gateway: ServiceProcess
/** What the events service answers. */
let isDown = false

beforeAll(async () => {
  upstream = await startUpstream(({ url }, response) => {
    response.statusCode = isDown ? 500 : url === '/internal/codes/7F3K9QXM' ? 200 : 404
    response.setHeader('Content-Type', 'application/json')
    const error = { message: 'There is no event with this code.', code: 'code_not_found', requestId: 'r' }
    response.end(JSON.stringify(response.statusCode === 200 ? { eventId } : error))
  })
  gateway = await startGateway(upstream.url, { UNKNOWN_CODES_PER_MINUTE: '5', TRUSTED_PROXY_HOPS: '1' })
})
afterAll(async () => {
  await gateway.stop()
  await upstream.close()
})

const find = (code: string, address: string): Promise<TestResponse> =>
  send(gateway.url, `GET /api/codes/${code}`, { headers: { 'X-Forwarded-For': address, Origin: SHELL } })
const count = (result: string): Promise<number> =>
  readCounter({ replicas: () => [gateway] }, 'gateway', 'short_code_lookups_total', { result })

test.each(['7F3K9QXM', '7F3K-9QXM', '7f3k-9qxm', '7f3k%209OXM', '7F3K90XM'])(
  'When the code of an event is typed as %s, then it leads to the event, and pages may read it',
  async (typed) => {
    const { status, json, headers } = await find(typed, '203.0.113.1')
    expect([status, json]).toEqual([200, { eventId }])
    expect(headers['access-control-allow-origin']).toBe(SHELL)
  },
)

test('When a code can be none, then it is answered like an unknown one, and the service is not asked', async () => {
  const requests = upstream.requests.length
  for (const typed of ['7F3K', '1F3K-9QXM', '%24ne', 'x'.repeat(300)]) {
    const { status, json } = await find(typed, '203.0.113.2')
    expect([status, json.code]).toEqual([404, 'code_not_found'])
  }
  expect(upstream.requests).toHaveLength(requests)
})

test('When an address guesses, then unknown codes are limited and counted, and codes of events are found by all there', async () => {
  const before = { unknown: await count('unknown'), limited: await count('limited') }
  const guesses = await Promise.all(Array.from({ length: 8 }, () => find('2222-2222', '203.0.113.3')))
  expect(guesses.filter(({ status }) => status === 404)).toHaveLength(5)
  const limited = guesses.filter(({ status }) => status === 429)
  expect(limited).toHaveLength(3)
  expect(limited[0]?.json.code).toBe('too_many_requests')
  expect(Number(limited[0]?.headers['retry-after'])).toBeGreaterThan(0)
  expect(await count('unknown')).toBe(before.unknown + 5)
  expect(await count('limited')).toBe(before.limited + 3)

  const found = await Promise.all(Array.from({ length: 20 }, () => find('7F3K-9QXM', '203.0.113.3')))
  expect(found.every(({ status }) => status === 200)).toBe(true)
  expect((await find('2222-2222', '203.0.113.4')).status).toBe(404)
})

test('When the events service is down, then it is no unknown code', async () => {
  isDown = true
  const unknown = await count('unknown')
  const { status, headers } = await find('7F3K-9QXM', '203.0.113.5')
  isDown = false
  expect([status, headers['retry-after']]).toEqual([503, '2'])
  expect(await count('unknown')).toBe(unknown)
})
