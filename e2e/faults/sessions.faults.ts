import { listMyEvents, login, refresh } from '@confetti/contracts'
import {
  call,
  newOrganiser,
  testBackends,
  type ApiResponse,
  startTcpProxy,
  type TcpProxy,
} from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { runScenario, type ScenarioContext } from './run-scenario.ts'
import { createServiceClocks, type ServiceClocks } from './service-clocks.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'

// Long enough for a restart of auth on a busy machine. 10 s in production.
const GRACE_SECONDS = 60

let database: TcpProxy
let clocks: ServiceClocks
let harness: FaultHarness

beforeAll(async () => {
  database = await startTcpProxy(testBackends().mongo)
  clocks = await createServiceClocks()
  harness = await startFaultHarness({
    proxyBackends: () => Promise.resolve({ mongo: database.url }),
    environment: {
      ...clocks.environment,
      auth: { ...clocks.environment.auth, REFRESH_GRACE_SECONDS: String(GRACE_SECONDS) },
    },
  })
}, 180_000)
afterEach(() => {
  delete database.hooks.onRequest
  delete database.hooks.onReply
})
afterAll(async () => {
  await harness.stop()
  await database.close()
  await clocks.remove()
}, 60_000)

/** Returns a function that uses a refresh token and records the result. */
const createRefresh =
  ({ recordResult }: ScenarioContext) =>
  async (refreshToken: string): Promise<ApiResponse> => {
    const startedAt = performance.now()
    const response = await call(harness.api, refresh, { body: { refreshToken } })
    const { code = '', message = '' } = response.body as { code?: string; message?: string }
    const retryAfter = response.headers.get('retry-after')
    recordResult({
      connectionLost: false,
      ms: performance.now() - startedAt,
      status: response.status,
      code,
      message,
      ...(retryAfter && { retryAfter: Number(retryAfter) }),
    })
    return response
  }

const expectValidSession = async ({ status, body }: ApiResponse): Promise<void> => {
  expect(status).toBe(200)
  const events = await call(harness.api, listMyEvents, { token: body.accessToken as string })
  expect(events.status).toBe(200)
}

const expectExpiredSession = ({ status, body }: ApiResponse): void => {
  expect(status).toBe(401)
  expect(body.message).toBe('Your session has expired.')
}

test('When a refresh token is used many times at once, then all tabs get the same next token', () =>
  runScenario(harness, async (context) => {
    const refreshSession = createRefresh(context)
    const { refreshToken } = await newOrganiser(harness.api)
    const responses = await Promise.all(Array.from({ length: 10 }, () => refreshSession(refreshToken)))
    for (const response of responses) await expectValidSession(response)
    const [nextToken, ...others] = new Set(responses.map(({ body }) => body.refreshToken as string))
    expect(others).toEqual([])
    await expectValidSession(await refreshSession(nextToken ?? ''))
  }))

test('When a refresh token is reused after the grace period, then the page has to sign in, and can', () =>
  runScenario(harness, async (context) => {
    const refreshSession = createRefresh(context)
    const { refreshToken, user, password } = await newOrganiser(harness.api)
    const { body } = await refreshSession(refreshToken)
    await clocks.shift(harness.system, 'auth', (GRACE_SECONDS + 1) * 1_000)
    try {
      expectExpiredSession(await refreshSession(refreshToken))
      // The first user is signed out, too: one of the two has a stolen token.
      expectExpiredSession(await refreshSession(body.refreshToken as string))
      await expectValidSession(await call(harness.api, login, { body: { email: user.email, password } }))
    } finally {
      await clocks.shift(harness.system, 'auth', 0)
    }
  }))

test('When auth is killed between the use of a refresh token and its response, then the page can use the same token again', () =>
  runScenario(harness, async (context) => {
    const refreshSession = createRefresh(context)
    const { refreshToken } = await newOrganiser(harness.api)
    const [auth] = harness.system.replicas('auth')
    const killed = Promise.withResolvers<undefined>()
    let rotatingConnection: number | undefined
    database.hooks.onRequest = (chunk, connection) => {
      if (chunk.includes('update') && chunk.includes('sessions') && chunk.includes('previousHash'))
        rotatingConnection = connection
    }
    // The database has committed the rotation, but auth does not receive the reply.
    database.hooks.onReply = async (_, connection) => {
      if (connection !== rotatingConnection) return
      await auth?.stop('SIGKILL')
      killed.resolve(undefined)
    }
    const failedRefresh = refreshSession(refreshToken)
    await killed.promise
    expect(await failedRefresh).toMatchObject({ status: 502, body: { code: 'bad_gateway' } })
    delete database.hooks.onReply
    await auth?.restart()
    const repeated = await refreshSession(refreshToken)
    await expectValidSession(repeated)
    await expectValidSession(await refreshSession(repeated.body.refreshToken as string))
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
