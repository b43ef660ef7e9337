import {
  eraseUser,
  getEvent,
  listMyEvents,
  listRevokedTokens,
  logoutAll,
  updateUser,
} from '@confetti/contracts'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  startTestSystem,
  type Account,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
let admin: Account
let auth: string
let events: string
beforeAll(async () => {
  system = await startTestSystem({ services: ['auth', 'events'] })
  auth = system.url('auth')
  events = system.url('events')
  admin = await newAdmin(system, auth)
})
afterAll(() => system.stop())

const myEvents = (token: string) => call(events, listMyEvents, { token })
const MINUTE_MS = 60_000
const expectRefusal = (token: string) =>
  eventually(
    async () => {
      const response = await myEvents(token)
      return response.status === 401 && response
    },
    'the end of access',
    MINUTE_MS,
  )

test.each([
  [
    'is deactivated',
    ({ user }: Account) =>
      call(auth, updateUser, {
        token: admin.token,
        params: { userId: user._id },
        body: { active: false },
      }),
  ],
  [
    'is erased',
    ({ user }: Account) => call(auth, eraseUser, { token: admin.token, params: { userId: user._id } }),
  ],
  ['signs out everywhere', ({ token }: Account) => call(auth, logoutAll, { token })],
])('When an account %s, then other services refuse its access token within a minute', async (_, end) => {
  const account = await newOrganiser(auth)
  const other = await newOrganiser(auth)
  expect((await myEvents(account.token)).status).toBe(200)
  await end(account)
  expect((await expectRefusal(account.token)).body).toMatchObject({ code: 'token_expired' })
  expect((await myEvents(other.token)).status).toBe(200)
})

test('When a guest page is read with a revoked token, then the answer is 401, so that the client refreshes it', async () => {
  const organiser = await newOrganiser(auth)
  const event = await newEvent(events, admin, organiser)
  await call(auth, logoutAll, { token: organiser.token })
  await expectRefusal(organiser.token)
  const params = { eventId: event._id }
  expect((await call(events, getEvent, { params, token: organiser.token })).status).toBe(401)
  expect((await call(events, getEvent, { params })).status).toBe(200)
})

test('When more accounts are revoked than the list may have, then older tokens of all are refreshed', async () => {
  const small = await startTestSystem({
    services: ['auth'],
    environment: { auth: { REVOKED_ACCOUNTS_LIMIT: '2' } },
  })
  try {
    const url = small.url('auth')
    const accounts = [await newOrganiser(url), await newOrganiser(url), await newOrganiser(url)]
    for (const { token } of accounts) await call(url, logoutAll, { token })
    const { body } = await call(url, listRevokedTokens)
    expect(body.accounts.map(({ userId }: { userId: string }) => userId)).toEqual(
      accounts
        .slice(1)
        .reverse()
        .map(({ user }) => user._id),
    )
    expect(body.issuedBefore).toBeGreaterThan(0)
  } finally {
    await small.stop()
  }
})
