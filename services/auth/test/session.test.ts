import { getUser, listUsers, logout, refresh } from '@confetti/contracts'
import {
  call,
  eventually,
  newOrganiser,
  mongoOperators,
  startTestSystem,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let clockAheadMs = 0
let system: TestSystem
let database: Connection
let auth: string
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth'],
    replicas: { auth: 2 },
    environment: {
      auth: { REFRESH_GRACE_SECONDS: '600', ACCESS_TOKEN_SECONDS: '900', SESSION_SWEEP_SECONDS: '1' },
    },
    clock: () => new Date(Date.now() + clockAheadMs),
  })
  auth = system.url('auth')
  database = await mongoose
    .createConnection(new URL(`/${system.namespace}-auth`, system.backends.mongo).href)
    .asPromise()
})
afterAll(async () => {
  await database.close()
  await system.stop()
})

const tryRefresh = (refreshToken: string) => call(auth, refresh, { body: { refreshToken } })
const nextToken = async (refreshToken: string): Promise<string> =>
  (await tryRefresh(refreshToken)).body.refreshToken as string
const sessionExpired = (code: string) => ({
  status: 401,
  body: { message: 'Your session has expired.', code },
})

test('When a refresh token is used again within the grace period, then it gives the same next token', async () => {
  const { refreshToken } = await newOrganiser(auth)
  const next = await nextToken(refreshToken)
  expect(await nextToken(refreshToken)).toBe(next)
  expect((await tryRefresh(next)).status).toBe(200)
})

test('When many tabs refresh at the same moment, then all get the same next token', async () => {
  let { refreshToken } = await newOrganiser(auth)
  for (let round = 0; round < 5; round += 1) {
    const token = refreshToken
    const responses = await Promise.all(Array.from({ length: 8 }, () => tryRefresh(token)))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect(new Set(responses.map(({ body }) => body.refreshToken as string)).size).toBe(1)
    refreshToken = responses[0]?.body.refreshToken as string
  }
})

test('When a token older than the previous one is used again, then its session is revoked', async () => {
  const { refreshToken } = await newOrganiser(auth)
  const latest = await nextToken(await nextToken(refreshToken))
  expect(await tryRefresh(refreshToken)).toMatchObject(sessionExpired('refresh_token_reused'))
  expect(await tryRefresh(latest)).toMatchObject(sessionExpired('session_unknown'))
})

test('When the previous token is used again after the grace period, then its session is revoked', async () => {
  const { refreshToken } = await newOrganiser(auth)
  const next = await nextToken(refreshToken)
  clockAheadMs += 10 * MINUTE_MS
  expect(await tryRefresh(refreshToken)).toMatchObject(sessionExpired('refresh_token_reused'))
  expect(await tryRefresh(next)).toMatchObject(sessionExpired('session_unknown'))
})

test('When one session ends, then other sessions and the account remain', async () => {
  const { user, refreshToken } = await newOrganiser(auth)
  const other = await newOrganiser(auth)
  await call(auth, logout, { body: { refreshToken } })
  expect((await tryRefresh(refreshToken)).status).toBe(401)
  expect((await tryRefresh(other.refreshToken)).status).toBe(200)
  expect((await call(auth, getUser, { params: { userId: user._id } })).status).toBe(200)
})

test.each(['x', '.', `${'A'.repeat(22)}.${'A'.repeat(42)}`, 'nul\u0000', '{"$ne":""}'])(
  'The malformed refresh token %j is rejected, and signing out with it changes nothing',
  async (refreshToken) => {
    expect(await tryRefresh(refreshToken)).toMatchObject(sessionExpired('refresh_token_malformed'))
    expect((await call(auth, logout, { body: { refreshToken } })).status).toBe(200)
  },
)

test('An unknown refresh token is rejected, and signing out with it changes nothing', async () => {
  const refreshToken = `${'A'.repeat(22)}.${'A'.repeat(43)}`
  expect(await tryRefresh(refreshToken)).toMatchObject(sessionExpired('session_unknown'))
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

test.each(mongoOperators)(
  'When the refresh token is the operator %j, then no session is found',
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

test('When the role of an account changes, then the next access token carries the new role', async () => {
  const { user, refreshToken } = await newOrganiser(auth)
  await database
    .collection('users')
    .updateOne({ _id: new mongoose.Types.ObjectId(user._id) }, { $set: { role: 'admin' } })
  const { body } = await tryRefresh(refreshToken)
  expect((await call(auth, listUsers, { token: body.accessToken as string })).status).toBe(200)
})

test('When an account is deleted, then its session cannot be refreshed', async () => {
  const { user, refreshToken } = await newOrganiser(auth)
  await database.collection('users').deleteOne({ _id: new mongoose.Types.ObjectId(user._id) })
  expect(await tryRefresh(refreshToken)).toMatchObject(sessionExpired('session_unknown'))
})

test('The database contains neither tokens nor passwords in plain text', async () => {
  const { user, password, refreshToken } = await newOrganiser(auth)
  await nextToken(refreshToken)
  const stored = JSON.stringify([
    await database.collection('users').findOne({ email: user.email }),
    await database.collection('sessions').findOne({ userId: user._id }),
  ])
  expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(stored).not.toContain(password)
  expect(stored).not.toContain(refreshToken.split('.')[1])
})

test('An access token expires, and the error has its own code', async () => {
  const { token } = await newOrganiser(auth)
  clockAheadMs += 15 * MINUTE_MS
  expect(await call(auth, listUsers, { token })).toMatchObject({
    status: 401,
    body: { message: 'Your session has expired.', code: 'token_expired' },
  })
})

test('A session that is not refreshed expires and is removed', async () => {
  const { user, refreshToken } = await newOrganiser(auth)
  clockAheadMs += 30 * DAY_MS
  expect((await tryRefresh(refreshToken)).status).toBe(401)
  const sessions = database.collection('sessions')
  await eventually(async () => (await sessions.countDocuments({ userId: user._id })) === 0, 'the sweep')
})
