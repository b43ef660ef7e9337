import { randomInt } from 'node:crypto'
import {
  forgotPassword,
  getAuthSettings,
  listUsers,
  login,
  refresh,
  resetPassword,
  sendPasswordReset,
  updateUser,
} from '@confetti/contracts'
import {
  call,
  eventually,
  mongoOperators,
  newAdmin,
  newOrganiser,
  randomEmail,
  recordMessages,
  startTestSystem,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'
import { connectDatabase, invite, messagesOf, tokenOf, waitForMail } from './account-fixtures.ts'

let system: TestSystem
let withoutMail: TestSystem
let recorded: RecordedMessages
let database: Connection
let auth: string
beforeAll(async () => {
  ;[system, withoutMail] = await Promise.all([
    startTestSystem({
      services: ['auth'],
      replicas: { auth: 2 },
      environment: { auth: { MAIL: 'on', PASSWORD_RESETS_PER_ADDRESS: '5' } },
    }),
    startTestSystem({ services: ['auth'] }),
  ])
  auth = system.url('auth')
  recorded = await recordMessages(system)
  database = await connectDatabase(system)
})
afterAll(async () => {
  await database.close()
  await recorded.close()
  await Promise.all([system.stop(), withoutMail.stop()])
})

const randomAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
const forget = (email: unknown, address = randomAddress()) =>
  call(auth, forgotPassword, { body: { email }, headers: { 'X-Forwarded-For': address } })
const requestReset = async (email: string, count = 1) => {
  await forget(email)
  return waitForMail(recorded, { email, kind: 'password-reset' }, count)
}
const reset = (token: string, password = 'a new one') =>
  call(auth, resetPassword, { body: { token, password } })
const signIn = async (email: string, password: string) =>
  (await call(auth, login, { body: { email, password } })).status
const invalidLink = {
  status: 400,
  body: { code: 'link_invalid', message: 'This link is no longer valid. Please ask for a new one.' },
}

test('When a password is forgotten, then the link in the mail sets a new one, ends all sessions, and works once', async () => {
  const { user, password, token, refreshToken } = await newAdmin(system, auth)
  await forget(`  ${user.email.toUpperCase()} `)
  const mail = await waitForMail(recorded, { email: user.email, kind: 'password-reset' })
  expect(mail).toMatchObject({ userId: user._id, email: user.email })
  expect(mail.link).toMatch(/^http:\/\/localhost:3000\/reset-password#token=/)
  const lifetimeMs = Date.parse(mail.expiresAt ?? '') - Date.now()
  expect(lifetimeMs).toBeGreaterThan(3_500_000)
  expect(lifetimeMs).toBeLessThanOrEqual(3_600_000)

  expect(await reset(tokenOf(mail.link))).toMatchObject({ status: 200 })
  expect(await signIn(user.email, password)).toBe(401)
  expect(await signIn(user.email, 'a new one')).toBe(200)
  expect((await call(auth, refresh, { body: { refreshToken } })).status).toBe(401)
  expect((await call(auth, listUsers, { token })).status).toBe(401)
  await waitForMail(recorded, { email: user.email, kind: 'password-changed' })

  expect(await reset(tokenOf(mail.link), 'another')).toMatchObject(invalidLink)
  expect(await signIn(user.email, 'a new one')).toBe(200)
})

test('When a link is used many times at once, then it works once', async () => {
  const { user } = await newOrganiser(auth)
  const token = tokenOf((await requestReset(user.email)).link)
  const passwords = Array.from({ length: 6 }, (_, i) => `password ${i}`)
  const responses = await Promise.all(passwords.map((password) => reset(token, password)))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
  const winner = responses.findIndex(({ status }) => status === 200)
  expect(await signIn(user.email, passwords[winner] ?? '')).toBe(200)
})

test('When a second link is requested, then the first one no longer works', async () => {
  const { user } = await newOrganiser(auth)
  const first = await requestReset(user.email)
  const second = await requestReset(user.email, 2)
  expect(await reset(tokenOf(first.link))).toMatchObject(invalidLink)
  expect((await reset(tokenOf(second.link))).status).toBe(200)
})

test('When a link has expired, then it does not work', async () => {
  const { user, password } = await newOrganiser(auth)
  const { link } = await requestReset(user.email)
  await database
    .collection('users')
    .updateOne(
      { _id: new mongoose.Types.ObjectId(user._id) },
      { $set: { 'passwordReset.expiresAt': new Date() } },
    )
  expect(await reset(tokenOf(link))).toMatchObject(invalidLink)
  expect(await signIn(user.email, password)).toBe(200)
})

test('When a token is that of another account or not one of ours, then nothing changes', async () => {
  const [one, other] = [await newOrganiser(auth), await newOrganiser(auth)]
  const token = tokenOf((await requestReset(one.user.email)).link)
  const forged = [
    token.replace(one.user._id, other.user._id),
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    one.user._id,
    '',
    'nul\u0000',
    `${'f'.repeat(24)}.${'A'.repeat(43)}`,
  ]
  for (const each of forged) expect(await reset(each)).toMatchObject(invalidLink)
  for (const { user, password } of [one, other]) expect(await signIn(user.email, password)).toBe(200)
  expect((await reset(token)).status).toBe(200)
})

test('The database contains the hash of a link only, once its mail has been requested', async () => {
  const { user } = await newOrganiser(auth)
  const token = tokenOf((await requestReset(user.email)).link)
  const stored = await eventually(async () => {
    const found = await database.collection('users').findOne({ email: user.email })
    return found?.outboxPending === false && found
  })
  expect(stored).toHaveProperty('passwordReset.hash')
  expect(JSON.stringify(stored)).not.toContain(token.split('.')[1])
})

test('When no account has the address, then the answer is the same, and no mail is requested', async () => {
  const { user } = await newOrganiser(auth)
  const unknown = [randomEmail(), 'not an address', 'nul\u0000@confetti.test', '$where']
  const known = await forget(user.email)
  expect(known).toMatchObject({ status: 202, body: { mail: 'on' } })
  for (const email of unknown) {
    const { status, body } = await forget(email)
    expect([status, body]).toEqual([known.status, known.body])
  }
  await waitForMail(recorded, { email: user.email, kind: 'password-reset' })
  for (const email of unknown)
    expect(messagesOf(recorded, 'user.mail-requested.v1').some((mail) => mail.email === email)).toBe(false)
})

test('When mails to one account are requested too often, then three are sent, and the answers do not differ', async () => {
  const { user } = await newOrganiser(auth)
  const answers = []
  for (let i = 0; i < 6; i += 1) answers.push(await forget(user.email))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
  await waitForMail(recorded, { email: user.email, kind: 'password-reset' }, 3)
  await eventually(() => system.log.filter((line) => line.includes('too many password resets')).length >= 3)
  const mails = messagesOf(recorded, 'user.mail-requested.v1').filter(({ email }) => email === user.email)
  expect(mails).toHaveLength(3)
})

test('When one IP address requests too many mails, then further requests are rejected, for any account', async () => {
  const address = randomAddress()
  for (let i = 0; i < 5; i += 1) expect((await forget(randomEmail(), address)).status).toBe(202)
  const { user } = await newOrganiser(auth)
  for (const email of [user.email, randomEmail()])
    expect(await forget(email, address)).toMatchObject({
      status: 429,
      body: { message: 'Too many attempts. Please try again later.' },
    })
})

test('When an account is deactivated, then it gets no mail, and a link of before does not work', async () => {
  const admin = await newAdmin(system, auth)
  const { user } = await newOrganiser(auth)
  const { link } = await requestReset(user.email)
  await call(auth, updateUser, {
    token: admin.token,
    params: { userId: user._id },
    body: { active: false },
  })
  expect(await reset(tokenOf(link))).toMatchObject(invalidLink)
  await forget(user.email)
  // The mail to another account comes after it.
  await requestReset((await newOrganiser(auth)).user.email)
  const mails = messagesOf(recorded, 'user.mail-requested.v1').filter(({ email }) => email === user.email)
  expect(mails).toHaveLength(1)
})

test.each(mongoOperators)(
  'When the address or the token is the operator %j, then it is rejected',
  async (operator) => {
    expect((await forget(operator)).status).toBe(400)
    for (const body of [
      { token: operator, password: 'x' },
      { token: 'x', password: operator },
    ])
      expect((await call(auth, resetPassword, { body })).status).toBe(400)
  },
)

test('When an admin sends a reset link, then it reaches the owner by mail only, and works', async () => {
  const admin = await newAdmin(system, auth)
  const { user } = await newOrganiser(auth)
  const params = { userId: user._id }
  const sent = await call(auth, sendPasswordReset, { token: admin.token, params })
  expect(sent).toMatchObject({ status: 201, body: { message: 'Mail sent.' } })
  expect(sent.body).not.toHaveProperty('resetUrl')
  const mail = await waitForMail(recorded, { email: user.email, kind: 'password-reset' })
  expect((await reset(tokenOf(mail.link))).status).toBe(200)
  expect(await signIn(user.email, 'a new one')).toBe(200)
})

test('Where the system sends no mail, an admin gets the link to pass on', async () => {
  const url = withoutMail.url('auth')
  const admin = await newAdmin(withoutMail, url)
  const { user } = await newOrganiser(url)
  const { body } = await call(url, sendPasswordReset, { token: admin.token, params: { userId: user._id } })
  const token = tokenOf(body.resetUrl as string)
  expect((await call(url, resetPassword, { body: { token, password: 'a new one' } })).status).toBe(200)
  expect((await call(url, login, { body: { email: user.email, password: 'a new one' } })).status).toBe(200)
})

test('When an account is deactivated or only invited, then no reset link is made for it', async () => {
  const url = withoutMail.url('auth')
  const admin = await newAdmin(withoutMail, url)
  const send = (userId: string) => call(url, sendPasswordReset, { token: admin.token, params: { userId } })
  const invited = await invite(url, admin)
  expect(await send(invited.user._id)).toMatchObject({ status: 409, body: { code: 'invitation_pending' } })
  const { user } = await newOrganiser(url)
  const params = { userId: user._id }
  await call(url, updateUser, { token: admin.token, params, body: { active: false } })
  expect(await send(user._id)).toMatchObject({ status: 409, body: { code: 'account_deactivated' } })
})

test('Where the system sends no mail, the answer says so, also in the settings', async () => {
  const url = withoutMail.url('auth')
  const { user } = await newOrganiser(url)
  for (const email of [user.email, randomEmail()])
    expect(await call(url, forgotPassword, { body: { email } })).toMatchObject({
      status: 202,
      body: { mail: 'off', message: 'Please ask an admin for help.' },
    })
  expect((await call(url, getAuthSettings)).body).toEqual({ registration: 'open', mail: 'off' })
  expect((await call(auth, getAuthSettings)).body).toEqual({ registration: 'open', mail: 'on' })
})
