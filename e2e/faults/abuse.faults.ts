import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorBody } from '@confetti/contracts'
import { withHangTimeout } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { newPhoto } from './guest-file.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

const GUESTS = 500
const UPLOAD_CONCURRENCY = 100
const INVALID_UPLOADS = 300
// A limit resets after a minute. What follows an exhausted limit takes some of that minute.
const MIN_RETRY_AFTER_SECONDS = 15
const REJECTED_REQUESTS = 100

let harness: FaultHarness

beforeAll(async () => {
  harness = await startFaultHarness({
    services: ['auth', 'events', 'uploads', 'contact', 'notifications', 'live', 'gateway'],
    replicas: { gateway: 2 },
    // 6,000 in production; a lower limit is exhausted sooner.
    environment: { gateway: { ADDRESS_REQUESTS_PER_MINUTE: '2000' } },
  })
}, 180_000)
afterAll(() => harness.stop(), 60_000)

interface Call {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}
interface HttpResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const sendRequest = (
  agent: Agent,
  { method = 'GET', path, headers = {}, body = '' }: Call,
): Promise<HttpResponse> =>
  withHangTimeout(
    path,
    (signal) =>
      new Promise((resolve, reject) => {
        const length = body ? { 'Content-Length': String(Buffer.byteLength(body)) } : {}
        const clientRequest = request(`${harness.api}${path}`, {
          agent,
          method,
          headers: { ...headers, ...length },
          signal,
        })
        clientRequest.on('error', reject).on('response', (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          )
        })
        clientRequest.end(body)
      }),
  )

/** Opens the event's page. Resolves with the guest token that the gateway issues. */
const openPage = async (agent: Agent, { event }: ScenarioContext): Promise<string> => {
  const { status, headers } = await sendRequest(agent, { path: `/api/events/${event._id}` })
  expect(status).toBe(200)
  return String(headers['x-guest-token'])
}

/**
 * Makes the same call on all sockets of the agent while `shouldContinue` is true. Resolves with how often each status
 * was returned, and the last `Retry-After` in seconds.
 */
const flood = async (agent: Agent, call: Call, shouldContinue: (last?: HttpResponse) => boolean) => {
  const statuses = new Map<number, number>()
  let retryAfterSeconds = 0
  let last: HttpResponse | undefined
  const callRepeatedly = async (): Promise<void> => {
    while (shouldContinue(last)) {
      last = await sendRequest(agent, call)
      const { status, headers, text } = last
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      // An abuser gets valid error bodies, too.
      if (status >= 400) errorBody.parse(JSON.parse(text))
      if (status === 429) {
        retryAfterSeconds = Number(headers['retry-after'])
        expect(retryAfterSeconds).toBeGreaterThan(0)
      }
    }
  }
  await Promise.all(Array.from({ length: agent.maxSockets }, callRepeatedly))
  return { statuses, retryAfterSeconds }
}

const times = (count: number) => (): boolean => {
  count -= 1
  return count >= 0
}

/** Makes a call until its limit is exhausted for long enough. Resolves with all statuses that were returned. */
const exhaustLimit = async (agent: Agent, call: Call): Promise<number[]> => {
  const seenStatuses = new Set<number>()
  for (;;) {
    const { statuses, retryAfterSeconds } = await flood(agent, call, (last) => last?.status !== 429)
    for (const status of statuses.keys()) seenStatuses.add(status)
    if (retryAfterSeconds > MIN_RETRY_AFTER_SECONDS) return [...seenStatuses].sort()
    await sleep(retryAfterSeconds * 1_000)
  }
}

const invalidUploadForm = (eventId: string): string =>
  [
    `--x\r\nContent-Disposition: form-data; name="eventId"\r\n\r\n${eventId}`,
    '--x\r\nContent-Disposition: form-data; name="photoCredit"\r\n\r\nAbuser',
    '--x\r\nContent-Disposition: form-data; name="media"; filename="image.jpg"\r\n\r\nno picture\r\n--x--\r\n',
  ].join('\r\n')

/** Sends one photo, which must be stored at the first attempt. */
const sendPhoto = async ({ guest }: ScenarioContext, credit: string, guestToken: string): Promise<void> => {
  expect(await guest(credit, { guestToken }).send(await newPhoto())).toMatchObject({ status: 201 })
}

/** Sends one photo for each guest token. */
const sendPhotos = async (context: ScenarioContext, tokens: readonly string[]): Promise<void> => {
  const queue = [...tokens.entries()]
  const sendNext = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift())
      await sendPhoto(context, `Guest ${next[0] + 1}`, next[1])
  }
  await Promise.all(Array.from({ length: UPLOAD_CONCURRENCY }, sendNext))
}

test('When one client abuses the address that 500 guests share, then only that client is rejected', () =>
  runScenario(
    harness,
    async (context) => {
      const guestAgent = new Agent({ keepAlive: true, maxSockets: 50 })
      const abuserAgent = new Agent({ keepAlive: true, maxSockets: 10 })
      const tokens = await Promise.all(Array.from({ length: GUESTS }, () => openPage(guestAgent, context)))
      expect(new Set(tokens).size).toBe(GUESTS)
      const path = `/api/events/${context.event._id}`
      const withToken = { 'X-Guest-Token': await openPage(abuserAgent, context) }
      const abuse = async (): Promise<void> => {
        const invalidUpload = {
          method: 'POST',
          path: '/api/uploads',
          headers: { ...withToken, 'Content-Type': 'multipart/form-data; boundary=x' },
          body: invalidUploadForm(context.event._id),
        }
        const uploads = await flood(abuserAgent, invalidUpload, times(INVALID_UPLOADS))
        expect([...uploads.statuses]).toEqual([[415, INVALID_UPLOADS]])
        expect(await exhaustLimit(abuserAgent, { path, headers: withToken })).toEqual([200, 429])
        expect([...(await flood(abuserAgent, invalidUpload, times(REJECTED_REQUESTS))).statuses]).toEqual([
          [429, REJECTED_REQUESTS],
        ])
        const forged = { 'X-Guest-Token': `${'a'.repeat(22)}.${'b'.repeat(43)}` }
        expect(await exhaustLimit(abuserAgent, { path, headers: forged })).toEqual([200, 429])
        expect([...(await flood(abuserAgent, { path }, times(REJECTED_REQUESTS))).statuses]).toEqual([
          [429, REJECTED_REQUESTS],
        ])
      }
      await Promise.all([abuse(), sendPhotos(context, tokens)])
      // Guests with a token are served while the limit of requests without a token is exhausted.
      await exhaustLimit(abuserAgent, { path })
      await sendPhotos(context, tokens.slice(0, 50))
      guestAgent.destroy()
      abuserAgent.destroy()
    },
    { expectProcessed: false },
  ))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
