import { errorBody } from '@confetti/contracts'
import { eventually } from '@confetti/test-kit'
import { beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Harness } from '../harness.ts'
import { joinSystemWithoutMedia } from '../shared-system.ts'
import { fuzz, FUZZ_TIMEOUT_MS } from './fuzz.ts'
import { findErrors, parseLogLine, type LogLine } from './log-lines.ts'
import { parseResponses, sendRaw, type RawResponse } from './raw-http.ts'
import {
  ambiguousRequests,
  loginRequest,
  randomRequest,
  requestsWithoutResponse,
  SMUGGLED_MARKER,
  suspiciousTargets,
} from './smuggling-requests.ts'

let harness: Harness

beforeAll(async () => {
  harness = await joinSystemWithoutMedia()
})

const findRequestLines = (): LogLine[] =>
  harness.system.log
    .map(parseLogLine)
    .filter(({ msg }) => msg === 'request completed' || msg === 'client disconnected')
const isFromGateway = ({ service }: LogLine): boolean => service === 'gateway'
// Internal routes and health checks, which do not go through the gateway.
const internalPaths =
  /^\/(internal\/((events|users)\/[0-9a-f]{24}|revoked-tokens)|\.well-known\/jwks\.json|readyz|healthz)$/
const formatRequest = ({ requestId, method, path }: LogLine): string => `${requestId} ${method} ${path}`

/** Expects that each request that reached a service was logged by the gateway, too, and reached the service once. */
const expectNothingWasSmuggled = async (timeoutMs?: number): Promise<void> => {
  const serviceRequests = (): string[] =>
    findRequestLines()
      .filter((line) => !isFromGateway(line) && !internalPaths.test(line.path ?? ''))
      .map(formatRequest)
  // The gateway logs a request after the response has been sent, which may be later than the service does.
  await eventually(
    () => {
      const gatewayRequests = new Set(findRequestLines().filter(isFromGateway).map(formatRequest))
      return serviceRequests().every((request) => gatewayRequests.has(request))
    },
    'a log line of the gateway for each request that reached a service',
    timeoutMs,
  )
  expect(new Set(serviceRequests()).size).toBe(serviceRequests().length)
  const markedLines = harness.system.log.filter((line) => line.includes(SMUGGLED_MARKER))
  expect(markedLines.filter((line) => !isFromGateway(parseLogLine(line)))).toEqual([])
}

/**
 * Sends raw requests. Expects that each response is a documented error or has one of the `allowedStatuses`. Returns no
 * response if the gateway has closed the connection instead.
 */
const sendAndCheck = async (text: string, allowedStatuses: readonly number[]): Promise<RawResponse[]> => {
  const responses = parseResponses(await sendRaw(harness.api, text))
  for (const { status, head, body } of responses) {
    expect([400, 404, 405, 408, 413, 415, 417, 431, ...allowedStatuses]).toContain(status)
    // Node itself rejects malformed HTTP, with an empty body.
    if (status >= 400 && /^content-type: application\/json/im.test(head)) errorBody.parse(JSON.parse(body))
    else if (status >= 400) expect(body).toBe('')
    expect(body).not.toContain(SMUGGLED_MARKER)
  }
  return responses
}

test.each(ambiguousRequests)(
  'When a request has %s, then no smuggled request reaches a service',
  async (name, text) => {
    const responses = await sendAndCheck(text, [401])
    expect(responses.length > 0).toBe(!requestsWithoutResponse.includes(name))
    await expectNothingWasSmuggled()
  },
)

test.each(suspiciousTargets)(
  'When the request target is %s, then only public routes reach a service',
  async (target) => {
    for (const method of ['GET', 'POST'])
      expect(
        await sendAndCheck(`${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`, [401]),
      ).not.toEqual([])
    await expectNothingWasSmuggled()
  },
)

test('When requests are pipelined, then each gets its response in order and reaches a service once', async () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
  const responses = await sendAndCheck(
    [
      get(`/api/events/${harness.event._id}`),
      get('/api/users'),
      loginRequest('Content-Length: 2', '{}'),
      get('/api/none'),
    ].join(''),
    [200, 401],
  )
  expect(responses.map(({ status }) => status)).toEqual([200, 401, 400, 404, 404])
  const ids = responses.map(({ head }) => /^x-request-id: (\S+)/im.exec(head)?.[1])
  expect(new Set(ids).size).toBe(5)
  const loggedIds = (): (string | undefined)[] =>
    findRequestLines()
      .filter(isFromGateway)
      .map(({ requestId }) => requestId)
  await eventually(() => ids.every((id) => loggedIds().includes(id)))
  await expectNothingWasSmuggled()
})

test.each<[string, string, number]>([
  ['a header of 20 kB', `X-A: ${'a'.repeat(20_000)}`, 431],
  ['5,000 headers', Array.from({ length: 5_000 }, (_, n) => `a${n}: b`).join('\r\n'), 431],
  ['a token of 20 kB', `Authorization: Bearer ${'a'.repeat(20_000)}`, 431],
  ['an invalid header name', 'X A: b', 400],
])('When a request has %s, then it is rejected and the next one is served', async (_, head, status) => {
  const text = `GET /api/events/${harness.event._id} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`
  expect((await sendAndCheck(text, [])).map((response) => response.status)).toEqual([status])
  expect((await fetch(`${harness.api}/api/events/${harness.event._id}`)).status).toBe(200)
})

test(
  'When request heads are generated randomly, then no smuggled request reaches a service',
  async () => {
    const counts = { sent: 0, answered: 0 }
    await fuzz(
      'request heads',
      fc.asyncProperty(randomRequest, async (text) => {
        counts.sent += 1
        if ((await sendAndCheck(text, [401])).length > 0) counts.answered += 1
      }),
      { cases: 300, timeShare: 0.4 },
    )
    expect(counts.answered).toBeGreaterThan(counts.sent / 2)
    await expectNothingWasSmuggled()
    expect(findErrors(harness.system.log)).toEqual([])
  },
  FUZZ_TIMEOUT_MS,
)

test('When a request bypasses the gateway, then the check of these tests fails', async () => {
  expect((await fetch(`${harness.system.url('events')}/api/myevents`)).status).toBe(401)
  await eventually(() =>
    findRequestLines().some((line) => !isFromGateway(line) && line.path === '/api/myevents'),
  )
  await expect(expectNothingWasSmuggled(2_000)).rejects.toThrow(
    'a log line of the gateway for each request that reached a service',
  )
})
