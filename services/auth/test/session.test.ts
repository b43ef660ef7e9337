import { getUser, listUsers, logout, refresh } from '@confetti/contracts'
import {
  call,
  eventually,
  newOrganiser,
  operators,
  startTestSystem,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'

let system: TestSystem
let hasty: TestSystem
let database: Connection
let auth: string
beforeAll(async () => {
  ;[system, hasty] = await Promise.all([
    startTestSystem({ services: ['auth'], replicas: { auth: 2 } }),
    startTestSystem({
      services: ['auth'],
      environment: {
        auth: {
          ACCESS_TOKEN_SECONDS: '1',
          REFRESH_TOKEN_SECONDS: '2',
          REFRESH_GRACE_SECONDS: '0',
          SESSION_SWEEP_SECONDS: '1',
        },
      },
    }),
  ])
  auth = system.url('auth')
  database = await mongoose
    .createConnection(new URL(`/${system.namespace}-auth`, system.backends.mongo).href)
    .asPromise()
})
afterAll(async () => {
  await database.close()
  await Promise.all([system.stop(), hasty.stop()])
})

const tryRefresh = (refreshToken: string, url = auth) => call(url, refresh, { body: { refreshToken } })
const next = async (refreshToken: string): Promise<string> =>
  (await tryRefresh(refreshToken)).body.refreshToken as string
const expired = (code: unknown) => ({ status: 401, body: { message: 'Your session has expired.', code } })

test('When an answer was lost, then the same token gives the same answer again', async () => {
  const { refreshToken } = await newOrganiser(auth)
  const successor = await next(refreshToken)
  expect(await next(refreshToken)).toBe(successor)
  expect((await tryRefresh(successor)).status).toBe(200)
})

test('When many tabs refresh at the same moment, then all agree on the next token', async () => {
  let { refreshToken } = await newOrganiser(auth)
  for (let round = 0; round < 5; round += 1) {
    const token = refreshToken
    const replies = await Promise.all(Array.from({ length: 8 }, () => tryRefresh(token)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(new Set(replies.map(({ body }) => body.refreshToken as string)).size).toBe(1)
    refreshToken = replies[0]?.body.refreshToken as string
  }
})

test('When a token older than the last comes again, then its session is over', async () => {
  const { refreshToken } = await newOrganiser(auth)
  const latest = await next(await next(refreshToken))
  expect(await tryRefresh(refreshToken)).toMatchObject(expired('refresh_token_reused'))
  expect(await tryRefresh(latest)).toMatchObject(expired('session_unknown'))
})

test('When the last token comes again after the time of grace, then its session is over', async () => {
  const url = hasty.url('auth')
  const { refreshToken } = await newOrganiser(url)
  const { body } = await tryRefresh(refreshToken, url)
  expect(await tryRefresh(refreshToken, url)).toMatchObject(expired('refresh_token_reused'))
  expect(await tryRefresh(body.refreshToken as string, url)).toMatchObject(expired('session_unknown'))
})

test('When one session is over, then the others of the account go on', async () => {
  const { user, refreshToken } = await newOrganiser(auth)
  const other = await newOrganiser(auth)
  await call(auth, logout, { body: { refreshToken } })
  expect((await tryRefresh(refreshToken)).status).toBe(401)
  expect((await tryRefresh(other.refreshToken)).status).toBe(200)
  expect((await call(auth, getUser, { params: { userId: user._id } })).status).toBe(200)
})

test.each(['x', '.', `${'A'.repeat(22)}.${'A'.repeat(42)}`, 'nul\u0000', '{"$ne":""}'])(
  'The malformed refresh token %j is refused, and signing out with it harmless',
  async (refreshToken) => {
    expect(await tryRefresh(refreshToken)).toMatchObject(expired('refresh_token_malformed'))
    expect((await call(auth, logout, { body: { refreshToken } })).status).toBe(200)
  },
)

test('An unknown refresh token is refused, and signing out with it harmless', async () => {
  const refreshToken = `${'A'.repeat(22)}.${'A'.repeat(43)}`
  expect(await tryRefresh(refreshToken)).toMatchObject(expired('session_unknown'))
  expect((await call(auth, logout, { body: { refreshToken } })).status).toBe(200)
})

test.each([{}, { refreshToken: '' }, { refreshToken: null }, { refreshToken: { $ne: '' } }])(
  'Refreshing and signing out with %j is a bad request',
  async (body) => {
    for (const contract of [refresh, logout])
      expect(await call(auth, contract, { body })).toMatchObject({
        status: 400,
        body: { message: 'No refresh token found' },
      })
  },
)

test.each(operators)(
  'When the operator %j comes as refresh token, then no session is found by it',
  async (operator) => {
    const { refreshToken } = await newOrganiser(auth)
    for (const contract of [refresh, logout])
      expect(await call(auth, contract, { body: { refreshToken: operator } })).toMatchObject({
        status: 400,
        body: { message: 'No refresh token found' },
      })
    expect((await call(auth, refresh, { body: { refreshToken } })).status).toBe(200)
  },
)

test('When an account gets another role or address, then the next access token says so', async () => {
  const { user, refreshToken } = await newOrganiser(auth)
  await database
    .collection('users')
    .updateOne({ _id: new mongoose.Types.ObjectId(user._id) }, { $set: { role: 'admin' } })
  const { body } = await tryRefresh(refreshToken)
  expect((await call(auth, listUsers, { token: body.accessToken as string })).status).toBe(200)
})

test('When an account is gone, then its session is over', async () => {
  const { user, refreshToken } = await newOrganiser(auth)
  await database.collection('users').deleteOne({ _id: new mongoose.Types.ObjectId(user._id) })
  expect(await tryRefresh(refreshToken)).toMatchObject(expired('session_unknown'))
})

test('Neither tokens nor passwords can be read in the database', async () => {
  const { user, password, refreshToken } = await newOrganiser(auth)
  await next(refreshToken)
  const stored = JSON.stringify([
    await database.collection('users').findOne({ email: user.email }),
    await database.collection('sessions').findOne({ userId: user._id }),
  ])
  expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(stored).not.toContain(password)
  expect(stored).not.toContain(refreshToken.split('.')[1])
})

test('An access token expires, and says so', async () => {
  const url = hasty.url('auth')
  const { token } = await newOrganiser(url)
  const refused = await eventually(async () => {
    const reply = await call(url, listUsers, { token })
    return reply.status === 401 && reply
  })
  expect(refused.body).toMatchObject({ message: 'Your session has expired.', code: 'token_expired' })
})

test('A session that is not refreshed expires, and is forgotten', async () => {
  const url = hasty.url('auth')
  const { refreshToken } = await newOrganiser(url)
  const isRemoval = (line: string): boolean => line.includes('expired sessions removed')
  const before = hasty.log.filter(isRemoval).length
  await eventually(() => hasty.log.filter(isRemoval).length > before)
  // Removals come once a second: it may have been another one's turn.
  await eventually(async () => (await tryRefresh(refreshToken, url)).status === 401)
})
