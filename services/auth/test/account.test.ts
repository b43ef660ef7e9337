import { randomBytes } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { getUser, listUsers, login, logout, refresh, register } from '@confetti/contracts'
import {
  call,
  eventually,
  recordMessages,
  newAdmin,
  newOrganiser,
  mongoOperators,
  randomEmail,
  startTestSystem,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
let recorded: RecordedMessages
let auth: string
beforeAll(async () => {
  system = await startTestSystem({ services: ['auth'], replicas: { auth: 2 } })
  auth = system.url('auth')
  recorded = await recordMessages(system)
})
afterAll(async () => {
  await recorded.close()
  await system.stop()
})

test('An account can register, sign in, refresh and sign out', async () => {
  const credentials = { email: randomEmail(), password: 'a password' }
  const registered = await call(auth, register, { body: credentials })
  expect(registered.status).toBe(201)
  expect(registered.body.user).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    email: credentials.email,
    role: 'user',
  })

  const signedIn = await call(auth, login, { body: credentials })
  expect(signedIn.status).toBe(200)
  expect(signedIn.body.user).toEqual(registered.body.user)

  const { refreshToken } = signedIn.body
  const refreshed = await call(auth, refresh, { body: { refreshToken } })
  expect(refreshed.status).toBe(200)
  expect(refreshed.body.refreshToken).not.toBe(refreshToken)
  // The token is valid: 403 is about its role.
  expect((await call(auth, listUsers, { token: refreshed.body.accessToken })).status).toBe(403)

  const loggedOut = await call(auth, logout, { body: { refreshToken: refreshed.body.refreshToken } })
  expect(loggedOut).toMatchObject({ status: 200, body: { message: 'Logged out successfully' } })
  const after = await call(auth, refresh, { body: { refreshToken: refreshed.body.refreshToken } })
  expect(after).toMatchObject({
    status: 401,
    body: { message: 'Your session has expired.', code: 'session_unknown' },
  })

  const other = await call(auth, refresh, { body: { refreshToken: registered.body.refreshToken } })
  expect(other.status).toBe(200)
})

test('When an account is registered, then user.registered is published', async () => {
  const { user } = await newOrganiser(auth)
  const message = await eventually(() =>
    recorded.ofType('user.registered.v1').find(({ data }) => data._id === user._id),
  )
  expect(message).toMatchObject({ source: '/services/auth', data: user })
})

test('When an address is registered many times at once, then one account is created', async () => {
  const email = randomEmail()
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      call(auth, register, { body: { email, password: `password ${i}` } }),
    ),
  )
  const statuses = responses.map(({ status }) => status).sort()
  expect(statuses).toEqual([201, ...Array.from({ length: 11 }, () => 409)])
  const rejected = responses.find(({ status }) => status === 409)
  expect(rejected?.body).toMatchObject({
    message: 'An account with this email already exists.',
    code: 'email_taken',
    details: [{ field: 'email', message: 'An account with this email already exists.', code: 'email_taken' }],
  })
  const winner = responses.findIndex(({ status }) => status === 201)
  expect((await call(auth, login, { body: { email, password: `password ${winner}` } })).status).toBe(200)
})

test('When an address differs in case and spaces, then it is the same account', async () => {
  const { user, password } = await newOrganiser(auth)
  const written = `  ${user.email.toUpperCase()} `
  expect((await call(auth, register, { body: { email: written, password } })).status).toBe(409)
  expect((await call(auth, login, { body: { email: written, password } })).body.user).toEqual(user)
})

test.each([
  ['no email', { password: 'x' }, 'Email and password are required.'],
  ['a blank email', { email: '  ', password: 'x' }, 'Email and password are required.'],
  ['no password', { email: 'a@confetti.test' }, 'Email and password are required.'],
  ['an empty password', { email: 'a@confetti.test', password: '' }, 'Email and password are required.'],
  ['an empty body', {}, 'Email and password are required.'],
  [
    'a password of 1,025 characters',
    { email: 'a@confetti.test', password: 'x'.repeat(1_025) },
    'The password is longer than 1024 characters.',
  ],
])('Signing in and registering with %s is rejected', async (_, body, message) => {
  for (const contract of [register, login])
    expect(await call(auth, contract, { body })).toMatchObject({ status: 400, body: { message } })
})

test.each(['no-at-sign', 'two@@confetti.test', 'a b@confetti.test', 'x@', `${'a'.repeat(250)}@b.test`])(
  'The address %s cannot be registered',
  async (email) => {
    expect(await call(auth, register, { body: { email, password: 'x' } })).toMatchObject({
      status: 400,
      body: { message: 'Please enter a valid email address.' },
    })
  },
)

test.each(['x', ' ', 'пароль', '🎉'.repeat(20), 'with\u0000nul', '\ud800'])(
  'The password %j is accepted',
  async (password) => {
    const email = randomEmail()
    expect((await call(auth, register, { body: { email, password } })).status).toBe(201)
    expect((await call(auth, login, { body: { email, password } })).status).toBe(200)
    expect((await call(auth, login, { body: { email, password: `${password}.` } })).status).toBeGreaterThan(
      399,
    )
  },
)

test('A password typed with combining characters is the same password', async () => {
  const email = randomEmail()
  await call(auth, register, { body: { email, password: 'caf\u00e9' } })
  expect((await call(auth, login, { body: { email, password: 'cafe\u0301' } })).status).toBe(200)
})

test.each([
  'unknown@confetti.test',
  'not an address',
  'nul\u0000@confetti.test',
  '\ud800@confetti.test',
  '$where',
])(
  'When no account has the address %j, then the response is the same as for a wrong password',
  async (email) => {
    const { user } = await newOrganiser(auth)
    const wrongPassword = await call(auth, login, { body: { email: user.email, password: 'wrong' } })
    const unknownAddress = await call(auth, login, { body: { email, password: 'wrong' } })
    for (const { status, body } of [wrongPassword, unknownAddress]) {
      expect(status).toBe(401)
      expect(body).toEqual({
        message: 'Invalid email or password',
        code: 'wrong_credentials',
        requestId: expect.any(String),
      })
    }
  },
)

test.each(mongoOperators)(
  'When the address or password is the operator %j, then signing in and registering are rejected',
  async (operator) => {
    const { user, password } = await newOrganiser(auth)
    for (const body of [
      { email: operator, password },
      { email: user.email, password: operator },
      { email: operator, password: operator },
      { email: [user.email], password },
      { email: user.email, password: [password] },
    ])
      for (const contract of [login, register])
        expect(await call(auth, contract, { body })).toMatchObject({
          status: 400,
          body: { message: 'Email and password are required.' },
        })
  },
)

test('When a body has operators beside a wrong password, then it is refused', async () => {
  const { user, password } = await newOrganiser(auth)
  const body = {
    email: user.email,
    password: 'wrong',
    'password[$ne]': '',
    $or: [{}, { password }],
    $where: 'true',
  }
  expect(await call(auth, login, { body })).toMatchObject({
    status: 400,
    body: { code: 'unknown_field' },
  })
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['unknown', (body: string) => Buffer.from(body)],
])('When a body has the encoding %s, then it is rejected unread', async (encoding, encode) => {
  const { user, password } = await newOrganiser(auth)
  const response = await fetch(new URL(login.path, auth), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': encoding },
    body: new Uint8Array(encode(JSON.stringify({ email: user.email, password }))),
  })
  expect(response.status).toBe(415)
  expect(await response.json()).toMatchObject({
    message: 'Please send the content as it is, neither compressed nor encoded.',
    code: 'encoded_content',
  })
})

test('Invalid JSON is 400, a body that is too large 413', async () => {
  const send = (body: string) =>
    fetch(new URL(login.path, auth), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
  expect((await send('{"email":')).status).toBe(400)
  expect((await send(JSON.stringify({ email: 'x'.repeat(110_000), password: 'x' }))).status).toBe(413)
})

test('Only admins can list accounts: those with role user, sorted by address', async () => {
  const admin = await newAdmin(system, auth)
  const organisers = [await newOrganiser(auth), await newOrganiser(auth)]
  expect(admin.user.role).toBe('admin')

  const { status, body } = await call(auth, listUsers, { token: admin.token })
  expect(status).toBe(200)
  for (const { user } of organisers) expect(body).toContainEqual(user)
  const users = body as { email: string; role: string }[]
  const emails = users.map(({ email }) => email)
  expect(emails).toEqual([...emails].sort())
  expect(users.every(({ role }) => role === 'user')).toBe(true)

  expect(await call(auth, listUsers)).toMatchObject({ status: 401, body: { message: 'Please sign in.' } })
  expect((await call(auth, listUsers, { token: 'no.token.atall' })).status).toBe(401)
  expect(await call(auth, listUsers, { token: organisers[0]?.token })).toMatchObject({
    status: 403,
    body: { code: 'wrong_role' },
  })
})

test('A registration with a role in its body is refused, and creates no account', async () => {
  const body = { email: randomEmail(), password: 'x' }
  const refused = await call(auth, register, { body: { ...body, role: 'admin' } })
  expect([refused.status, refused.body.code]).toEqual([400, 'unknown_field'])
  expect((await call(auth, register, { body })).body.user.role).toBe('user')
})

test('Another service can get one account', async () => {
  const { user } = await newOrganiser(auth)
  expect(await call(auth, getUser, { params: { userId: user._id } })).toMatchObject({
    status: 200,
    body: { ...user, active: true },
  })
  for (const userId of [randomBytes(12).toString('hex'), 'x', '$ne'])
    expect(await call(auth, getUser, { params: { userId } })).toMatchObject({
      status: 404,
      body: { message: 'User not found.' },
    })
})
