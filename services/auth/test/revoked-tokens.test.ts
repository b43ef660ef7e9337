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

const REVOKED_ACCOUNTS_LIMIT = 5

let system: TestSystem
let admin: Account
let auth: string
let events: string
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events'],
    environment: { auth: { REVOKED_ACCOUNTS_LIMIT: String(REVOKED_ACCOUNTS_LIMIT) } },
  })
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

/** What ends the access of an account. */
const endings: Record<string, (account: Account) => Promise<unknown>> = {
  deactivation: ({ user }) =>
    call(auth, updateUser, {
      token: admin.token,
      params: { userId: user._id },
      body: { active: false },
    }),
  erasure: ({ user }) => call(auth, eraseUser, { token: admin.token, params: { userId: user._id } }),
  'signing out everywhere': ({ token }) => call(auth, logoutAll, { token }),
}

test('When an account is deactivated, is erased or signs out everywhere, then other services refuse its access token within a minute', async () => {
  const other = await newOrganiser(auth)
  const { _id: eventId } = await newEvent(events, admin, other)
  const accounts = new Map<string, Account>()
  for (const name of Object.keys(endings)) accounts.set(name, await newOrganiser(auth))
  for (const { token } of accounts.values()) expect((await myEvents(token)).status).toBe(200)
  for (const [name, account] of accounts) await endings[name]?.(account)
  for (const [name, { token }] of accounts) {
    expect([name, (await expectRefusal(token)).body]).toMatchObject([name, { code: 'token_expired' }])
    // Guests can read it without a token. A client with one that has ended refreshes it.
    expect((await call(events, getEvent, { params: { eventId }, token })).status).toBe(401)
  }
  expect((await call(events, getEvent, { params: { eventId } })).status).toBe(200)
  expect((await myEvents(other.token)).status).toBe(200)
})

test('When more accounts are revoked than the list may have, then older tokens of all are refreshed', async () => {
  const revoked: Account[] = []
  for (let count = 0; count <= REVOKED_ACCOUNTS_LIMIT; count += 1) {
    const account = await newOrganiser(auth)
    await call(auth, logoutAll, { token: account.token })
    revoked.push(account)
  }
  const { body } = await call(auth, listRevokedTokens)
  expect(body.accounts.map(({ userId }: { userId: string }) => userId)).toEqual(
    revoked
      .slice(1)
      .reverse()
      .map(({ user }) => user._id),
  )
  expect(body.issuedBefore).toBeGreaterThan(0)
})
