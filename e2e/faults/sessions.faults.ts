import { listMyEvents, login, refresh } from '@confetti/contracts'
import {
  call,
  newOrganiser,
  testBackends,
  type Reply,
  startTcpProxy,
  type TcpProxy,
} from '@confetti/test-kit'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { makeClocks, type Clocks } from './clocks.ts'
import { startFaultStand, type FaultStand } from './fault-stand.ts'
import { leftOver } from './left-over.ts'
import { play, type Scene } from './play.ts'

// Long enough for a restart of auth on a busy machine; in production it is 10 s.
const GRACE_SECONDS = 60

let database: TcpProxy
let clocks: Clocks
let stand: FaultStand

beforeAll(async () => {
  database = await startTcpProxy(testBackends().mongo)
  clocks = await makeClocks()
  stand = await startFaultStand({
    through: () => Promise.resolve({ mongo: database.url }),
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
  await stand.stop()
  await database.close()
  await clocks.remove()
}, 60_000)

/** A page that uses a refresh token; what it sees is noted. */
const pageIn =
  ({ saw }: Scene) =>
  async (refreshToken: string): Promise<Reply> => {
    const started = performance.now()
    const reply = await call(stand.api, refresh, { body: { refreshToken } })
    const { code = '', message = '' } = reply.body as { code?: string; message?: string }
    const retryAfter = reply.headers.get('retry-after')
    saw({
      lost: false,
      ms: performance.now() - started,
      status: reply.status,
      code,
      message,
      ...(retryAfter && { retryAfter: Number(retryAfter) }),
    })
    return reply
  }

const expectToWork = async ({ status, body }: Reply): Promise<void> => {
  expect(status).toBe(200)
  const events = await call(stand.api, listMyEvents, { token: body.accessToken as string })
  expect(events.status).toBe(200)
}

const expectToEndSession = ({ status, body }: Reply): void => {
  expect(status).toBe(401)
  expect(body.message).toBe('Your session has expired.')
}

test('When a refresh token is used many times at once, then all tabs get the same next one', () =>
  play(stand, async (scene) => {
    const use = pageIn(scene)
    const { refreshToken } = await newOrganiser(stand.api)
    const replies = await Promise.all(Array.from({ length: 10 }, () => use(refreshToken)))
    for (const reply of replies) await expectToWork(reply)
    const [successor, ...others] = new Set(replies.map(({ body }) => body.refreshToken as string))
    expect(others).toEqual([])
    await expectToWork(await use(successor ?? ''))
  }))

test('When a refresh token comes again after the time of grace, then the page is told to sign in, and can', () =>
  play(stand, async (scene) => {
    const use = pageIn(scene)
    const { refreshToken, user, password } = await newOrganiser(stand.api)
    const { body } = await use(refreshToken)
    await clocks.shift(stand.system, 'auth', (GRACE_SECONDS + 1) * 1_000)
    try {
      expectToEndSession(await use(refreshToken))
      // Whoever used it first is signed out, too: one of the two is a thief.
      expectToEndSession(await use(body.refreshToken as string))
      await expectToWork(await call(stand.api, login, { body: { email: user.email, password } }))
    } finally {
      await clocks.shift(stand.system, 'auth', 0)
    }
  }))

test('When auth is killed between the use of a refresh token and its answer, then the page goes on with the same token', () =>
  play(stand, async (scene) => {
    const use = pageIn(scene)
    const { refreshToken } = await newOrganiser(stand.api)
    const [auth] = stand.system.replicas('auth')
    const killed = Promise.withResolvers<undefined>()
    let rotating: number | undefined
    database.hooks.onRequest = (chunk, connection) => {
      if (chunk.includes('update') && chunk.includes('sessions') && chunk.includes('previousHash'))
        rotating = connection
    }
    // The database has written it down; auth never hears of that.
    database.hooks.onReply = async (_, connection) => {
      if (connection !== rotating) return
      await auth?.stop('SIGKILL')
      killed.resolve(undefined)
    }
    const lost = use(refreshToken)
    await killed.promise
    expect(await lost).toMatchObject({ status: 502, body: { code: 'bad_gateway' } })
    delete database.hooks.onReply
    await auth?.restart()
    const again = await use(refreshToken)
    await expectToWork(again)
    await expectToWork(await use(again.body.refreshToken as string))
  }))

test('When all of that is over, then no fact waits and no letter is dead', async () => {
  expect(await leftOver(stand)).toEqual([])
}, 120_000)
