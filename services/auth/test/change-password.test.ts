import { changePassword, listUsers, login, logoutAll, refresh } from '@confetti/contracts'
import {
  call,
  mongoOperators,
  newAdmin,
  newOrganiser,
  recordMessages,
  startTestSystem,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { waitForMail } from './account-fixtures.ts'

let system: TestSystem
let recorded: RecordedMessages
let auth: string
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth'],
    replicas: { auth: 2 },
    environment: { auth: { MAIL: 'on' } },
  })
  auth = system.url('auth')
  recorded = await recordMessages(system)
})
afterAll(async () => {
  await recorded.close()
  await system.stop()
})

const signIn = (email: string, password: string) => call(auth, login, { body: { email, password } })
const tryRefresh = async (refreshToken: string) =>
  (await call(auth, refresh, { body: { refreshToken } })).status

test('When a password is changed, then other sessions end, this one continues, and a mail says so', async () => {
  const { user, password, token, refreshToken } = await newAdmin(system, auth)
  const other = await signIn(user.email, password)
  const changed = await call(auth, changePassword, {
    token,
    body: { currentPassword: password, newPassword: 'a new one' },
  })
  expect(changed).toMatchObject({ status: 200, body: { message: 'Password changed.' } })

  for (const old of [refreshToken, other.body.refreshToken as string]) expect(await tryRefresh(old)).toBe(401)
  for (const old of [token, other.body.accessToken as string])
    expect(await call(auth, listUsers, { token: old })).toMatchObject({
      status: 401,
      body: { code: 'token_expired' },
    })
  expect((await call(auth, listUsers, { token: changed.body.accessToken as string })).status).toBe(200)
  expect(await tryRefresh(changed.body.refreshToken as string)).toBe(200)

  expect((await signIn(user.email, password)).status).toBe(401)
  expect((await signIn(user.email, 'a new one')).status).toBe(200)
  expect(await waitForMail(recorded, { email: user.email, kind: 'password-changed' })).toEqual({
    kind: 'password-changed',
    userId: user._id,
    email: user.email,
  })
})

test('When the current password is wrong, then nothing changes, and the error is not one of the session', async () => {
  const { user, password, token, refreshToken } = await newOrganiser(auth)
  const body = { currentPassword: 'wrong', newPassword: 'a new one' }
  expect(await call(auth, changePassword, { token, body })).toMatchObject({
    status: 400,
    body: {
      code: 'wrong_password',
      message: 'The current password is wrong.',
      details: [{ field: 'currentPassword' }],
    },
  })
  expect(await tryRefresh(refreshToken)).toBe(200)
  expect((await signIn(user.email, password)).status).toBe(200)
})

test('When the current password is wrong too often, then further attempts are rejected like sign-ins', async () => {
  const { user, token, password } = await newOrganiser(auth)
  const attempt = async (currentPassword: string) =>
    (await call(auth, changePassword, { token, body: { currentPassword, newPassword: 'x' } })).status
  for (let i = 0; i < 10; i += 1) expect(await attempt('wrong')).toBe(400)
  expect(await attempt(password)).toBe(429)
  expect((await signIn(user.email, password)).status).toBe(429)
})

test('When a password is changed again and again, then ten times an hour, as each change sends a mail', async () => {
  const { user, token, password } = await newOrganiser(auth)
  const change = (accessToken: string, currentPassword: string, newPassword: string) =>
    call(auth, changePassword, { token: accessToken, body: { currentPassword, newPassword } })
  let latest = { token, password }
  for (let i = 0; i < 10; i += 1) {
    const { status, body } = await change(latest.token, latest.password, `password ${i}`)
    expect(status).toBe(200)
    latest = { token: body.accessToken as string, password: `password ${i}` }
  }
  const refused = await change(latest.token, latest.password, 'one more')
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(3_000)
  expect((await signIn(user.email, latest.password)).status).toBe(200)
})

test('When a password is changed twice at once, then one of them wins and its session continues', async () => {
  const { user, password, token } = await newOrganiser(auth)
  const responses = await Promise.all(
    ['one', 'two'].map((newPassword) =>
      call(auth, changePassword, { token, body: { currentPassword: password, newPassword } }),
    ),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  const winner = responses.findIndex(({ status }) => status === 200)
  expect((await signIn(user.email, ['one', 'two'][winner] ?? '')).status).toBe(200)
  expect(await tryRefresh(responses[winner]?.body.refreshToken as string)).toBe(200)
})

test.each([
  [{ newPassword: 'x' }, 'Please enter your current password.'],
  [{ currentPassword: 'x' }, 'Please enter a new password.'],
  [{ currentPassword: 'x', newPassword: '' }, 'Please enter a new password.'],
  [{ currentPassword: 'x', newPassword: 'x'.repeat(1_025) }, 'The password is longer than 1024 characters.'],
])('Changing the password with %j is rejected', async (body, message) => {
  const { token } = await newOrganiser(auth)
  expect(await call(auth, changePassword, { token, body })).toMatchObject({ status: 400, body: { message } })
})

test.each(mongoOperators)(
  'When a password is the operator %j, then the change is rejected',
  async (operator) => {
    const { token, password } = await newOrganiser(auth)
    for (const body of [
      { currentPassword: operator, newPassword: 'x' },
      { currentPassword: password, newPassword: operator },
    ])
      expect((await call(auth, changePassword, { token, body })).status).toBe(400)
  },
)

test('When an account signs out everywhere, then all of its sessions and access tokens end, and no others', async () => {
  const { user, password, token, refreshToken } = await newAdmin(system, auth)
  const other = await signIn(user.email, password)
  const stranger = await newOrganiser(auth)
  expect(await call(auth, logoutAll, { token })).toMatchObject({
    status: 200,
    body: { message: 'Signed out everywhere.' },
  })
  for (const old of [refreshToken, other.body.refreshToken as string]) expect(await tryRefresh(old)).toBe(401)
  expect((await call(auth, listUsers, { token: other.body.accessToken as string })).status).toBe(401)
  expect(await tryRefresh(stranger.refreshToken)).toBe(200)
  expect((await signIn(user.email, password)).status).toBe(200)
})
