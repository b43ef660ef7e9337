import type { ServiceProcess } from '@confetti/launcher'
import { eventually, readCounter } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { send, SHELL, startGateway, startUpstream, type TestResponse, type Upstream } from './harness.ts'

let upstream: Upstream
let gateway: ServiceProcess
const log: string[] = []

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startGateway(
    upstream.url,
    { CLIENT_ERRORS_PER_MINUTE: '10', TRUSTED_PROXY_HOPS: '1' },
    { onLine: (line) => log.push(line) },
  )
})
afterAll(async () => {
  await gateway.stop()
  await upstream.close()
})

const report = {
  remote: 'public',
  release: '0.2.0',
  page: '/upload?eventId=6b03b0c58bddcb2b37aa5f39#top',
  error: 'TypeError: Unexpected token \'A\', "Aunt Marta" for marta@example.org',
  stack: 'at f (https://public.test/main.64ba8db42a.js?retry=1:1:2)',
}
const post = (body: object, address: string): Promise<TestResponse> =>
  send(gateway.url, 'POST /api/client-errors', {
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': address,
      Origin: SHELL,
      Authorization: 'Bearer an.expired.token',
    },
    body: JSON.stringify(body),
  })
const countErrors = (remote: string): Promise<number> =>
  readCounter({ replicas: () => [gateway] }, 'gateway', 'client_errors_total', { remote })

test('When a browser reports an error, then it is counted and logged with its release, and without personal data', async () => {
  const before = await countErrors('public')
  const { status, headers } = await post(report, '203.0.113.1')
  expect([status, headers['access-control-allow-origin']]).toEqual([202, SHELL])
  const line = await eventually(() => log.find((each) => each.includes('error in a browser')))
  expect(JSON.parse(line)).toMatchObject({
    level: 'warn',
    remote: 'public',
    release: '0.2.0',
    page: '/upload',
    error: "TypeError: Unexpected token 'A', [text] for [email]",
    stack: 'at f (https://public.test/main.64ba8db42a.js)',
  })
  expect(log.join('\n')).not.toMatch(/Marta|example\.org|6b03b0c58bddcb2b37aa5f39/)
  expect(await countErrors('public')).toBe(before + 1)
  expect(upstream.requests).toEqual([])
})

test('When a report names an unknown part of the site or is too large, then it is rejected and not counted', async () => {
  expect((await post({ ...report, remote: 'other' }, '203.0.113.2')).status).toBe(400)
  expect((await post({ ...report, stack: 'x'.repeat(5_000) }, '203.0.113.2')).status).toBe(413)
  const metrics = await (await fetch(gateway.metricsUrl)).text()
  const labels = [...metrics.matchAll(/^client_errors_total{.*remote="(\w+)"/gm)].map(([, remote]) => remote)
  expect(labels.sort()).toEqual(['admin', 'organiser', 'public', 'shell'])
})

test('When an address sends many reports, then the excess is answered with 429, and others are accepted', async () => {
  const statuses = await Promise.all(Array.from({ length: 15 }, () => post(report, '203.0.113.3')))
  expect(statuses.filter(({ status }) => status === 202)).toHaveLength(10)
  expect(statuses.filter(({ status }) => status === 429)).toHaveLength(5)
  expect((await post(report, '203.0.113.4')).status).toBe(202)
})
