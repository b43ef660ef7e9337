import {
  acceptInvitation,
  getAuthSettings,
  inviteUser,
  listUsers,
  login,
  readInvitation,
  register,
  updateUser,
} from '@confetti/contracts'
import {
  call,
  eventually,
  newAdmin,
  newOrganiser,
  randomEmail,
  recordMessages,
  startTestSystem,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { invite, tokenOf, waitForMail } from './account-fixtures.ts'

let withMail: TestSystem
let closed: TestSystem
let recorded: RecordedMessages
let admin: Account
let closedAdmin: Account
beforeAll(async () => {
  ;[withMail, closed] = await Promise.all([
    startTestSystem({ services: ['auth'], environment: { auth: { MAIL: 'on' } } }),
    startTestSystem({
      services: ['auth'],
      replicas: { auth: 2 },
      environment: { auth: { REGISTRATION: 'invitation' } },
    }),
  ])
  recorded = await recordMessages(withMail)
  ;[admin, closedAdmin] = await Promise.all([
    newAdmin(withMail, withMail.url('auth')),
    newAdmin(closed, closed.url('auth')),
  ])
})
afterAll(async () => {
  await recorded.close()
  await Promise.all([withMail.stop(), closed.stop()])
})

const accept = (auth: string, token: string, password = 'my password') =>
  call(auth, acceptInvitation, { body: { token, password } })
const signIn = (auth: string, email: string, password = 'my password') =>
  call(auth, login, { body: { email, password } })

test('When an admin invites somebody, then the link in the mail sets the password of the new account, once', async () => {
  const auth = withMail.url('auth')
  const email = randomEmail()
  const invited = await call(auth, inviteUser, { token: admin.token, body: { email, role: 'user' } })
  expect(invited).toMatchObject({
    status: 201,
    body: {
      message: 'Invitation sent.',
      user: { email, role: 'user', active: true, invitedAt: expect.any(String) },
    },
  })
  expect(invited.body).not.toHaveProperty('invitationUrl')
  const mail = await waitForMail(recorded, { email, kind: 'invitation' })
  expect(mail.link).toMatch(/^http:\/\/localhost:3000\/accept-invitation#token=/)

  const token = tokenOf(mail.link)
  const read = () => call(auth, readInvitation, { body: { token } })
  expect(await read()).toMatchObject({
    status: 200,
    body: { email, role: 'user', invitedBy: admin.user.email },
  })
  expect((await signIn(auth, email, '')).status).toBe(400)
  expect((await signIn(auth, email)).status).toBe(401)
  expect(await accept(auth, token)).toMatchObject({ status: 200 })
  expect((await signIn(auth, email)).body.user).toEqual({
    _id: invited.body.user._id,
    email,
    role: 'user',
  })
  expect(await read()).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
  expect(await accept(auth, token, 'another')).toMatchObject({
    status: 400,
    body: { code: 'link_invalid' },
  })
  expect((await signIn(auth, email)).status).toBe(200)
})

test('An invited organiser can be assigned before accepting, and user.registered is published', async () => {
  const auth = withMail.url('auth')
  const email = randomEmail()
  const { body } = await call(auth, inviteUser, { token: admin.token, body: { email, role: 'user' } })
  const user = { _id: body.user._id as string, email, role: 'user' }
  expect((await call(auth, listUsers, { token: admin.token })).body).toContainEqual(user)
  const message = await eventually(() =>
    recorded.ofType('user.registered.v1').find(({ data }) => data._id === user._id),
  )
  expect(message.data).toEqual(user)
})

test('When an address has an account, then it cannot be invited', async () => {
  const auth = withMail.url('auth')
  const { user } = await newOrganiser(auth)
  for (const role of ['user', 'admin'])
    expect(
      await call(auth, inviteUser, { token: admin.token, body: { email: user.email, role } }),
    ).toMatchObject({ status: 409, body: { code: 'email_taken', details: [{ field: 'email' }] } })
  expect((await signIn(auth, user.email)).status).toBe(401)
})

test('When an address is invited again, then the earlier link stops working, and the account gets the new role', async () => {
  const auth = closed.url('auth')
  const first = await invite(auth, closedAdmin)
  const second = await invite(auth, closedAdmin, { email: first.user.email, role: 'admin' })
  expect(second.user).toMatchObject({ _id: first.user._id, role: 'admin' })
  expect((await accept(auth, first.token)).status).toBe(400)
  expect((await accept(auth, second.token)).status).toBe(200)
  expect((await signIn(auth, first.user.email)).body.user.role).toBe('admin')
})

test('When an address is invited many times at once, then one account is created, and one link works', async () => {
  const auth = closed.url('auth')
  const email = randomEmail()
  const invited = await Promise.all(Array.from({ length: 5 }, () => invite(auth, closedAdmin, { email })))
  expect(new Set(invited.map(({ user }) => user._id)).size).toBe(1)
  const statuses = await Promise.all(invited.map(async ({ token }) => (await accept(auth, token)).status))
  expect(statuses.sort()).toEqual([200, 400, 400, 400, 400])
})

test('When an invited account is deactivated, then its link does not work; inviting it again activates it', async () => {
  const auth = closed.url('auth')
  const { user, token } = await invite(auth, closedAdmin)
  await call(auth, updateUser, {
    token: closedAdmin.token,
    params: { userId: user._id },
    body: { active: false },
  })
  expect((await accept(auth, token)).status).toBe(400)
  const again = await invite(auth, closedAdmin, { email: user.email })
  expect(again.user.active).toBe(true)
  expect((await accept(auth, again.token)).status).toBe(200)
})

test('Where the system sends no mail, the answer has the link', async () => {
  const auth = closed.url('auth')
  const body = { email: randomEmail(), role: 'user' }
  expect(await call(auth, inviteUser, { token: closedAdmin.token, body })).toMatchObject({
    status: 201,
    body: {
      message: 'Account created.',
      invitationUrl: expect.stringMatching(/^http:\/\/localhost:3000\/accept-invitation#token=/),
    },
  })
})

test('Where accounts are by invitation only, registering is rejected, for new and for taken addresses', async () => {
  const auth = closed.url('auth')
  for (const email of [randomEmail(), closedAdmin.user.email])
    expect(await call(auth, register, { body: { email, password: 'x' } })).toMatchObject({
      status: 403,
      body: { code: 'registration_closed' },
    })
  expect((await call(auth, getAuthSettings)).body).toEqual({ registration: 'invitation', mail: 'off' })
})

test.each([
  [{}, 'Please enter an email address.'],
  [{ email: 'no-at-sign', role: 'user' }, 'Please enter a valid email address.'],
  [{ email: 'a@confetti.test' }, 'Please choose a role.'],
  [{ email: 'a@confetti.test', role: 'owner' }, 'Please choose a role.'],
  [{ email: { $ne: '' }, role: 'user' }, 'Please enter an email address.'],
])('Inviting with %j is rejected', async (body, message) => {
  const response = await call(closed.url('auth'), inviteUser, { token: closedAdmin.token, body })
  expect(response).toMatchObject({ status: 400, body: { message } })
})
