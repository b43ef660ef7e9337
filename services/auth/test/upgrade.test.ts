import {
  changePassword,
  listAccounts,
  listUsers,
  login,
  refresh,
  updateUser,
  type AccountList,
} from '@confetti/contracts'
import {
  call,
  eventually,
  newAdmin,
  newOrganiser,
  recordMessages,
  startTestSystem,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'
import { connectDatabase, messagesOf } from './account-fixtures.ts'

let system: TestSystem
let database: Connection
let auth: string
beforeAll(async () => {
  system = await startTestSystem({ services: ['auth'] })
  auth = system.url('auth')
  database = await connectDatabase(system)
})
afterAll(async () => {
  await database.close()
  await system.stop()
})

/** An account as an earlier version wrote it. */
const newOldAccount = async (role: 'user' | 'admin') => {
  const account = await newOrganiser(auth)
  const _id = new mongoose.Types.ObjectId(account.user._id)
  const users = database.collection('users')
  const stored = await users.findOne({ _id })
  await users.replaceOne(
    { _id },
    {
      email: account.user.email,
      role,
      passwordHash: stored?.passwordHash as string,
      createdAt: new Date('2026-05-01T10:00:00Z'),
      isPublished: true,
      outbox: [],
      outboxPending: false,
      outboxVersion: 1,
      outboxLeaseUntil: new Date(0),
      __v: 0,
    },
  )
  return account
}

test('When an account was written by an earlier version, then it is active and can be listed, changed and used', async () => {
  const admin = await newAdmin(system, auth)
  const { user, password, refreshToken } = await newOldAccount('user')
  const { body } = await call(auth, listAccounts, { token: admin.token, query: { search: user.email } })
  expect((body as AccountList).users).toEqual([
    { ...user, active: true, createdAt: '2026-05-01T10:00:00.000Z' },
  ])
  expect((await call(auth, listUsers, { token: admin.token })).body).toContainEqual(user)

  const refreshed = await call(auth, refresh, { body: { refreshToken } })
  expect(refreshed.status).toBe(200)
  const changed = await call(auth, changePassword, {
    token: refreshed.body.accessToken as string,
    body: { currentPassword: password, newPassword: 'new' },
  })
  expect(changed.status).toBe(200)
  expect((await call(auth, login, { body: { email: user.email, password: 'new' } })).status).toBe(200)
})

test('When an account was written by an earlier version, then its language is stored and published at the next sign-in', async () => {
  const recorded = await recordMessages(system)
  const { user, password } = await newOldAccount('user')
  const body = { email: user.email, password }
  expect((await call(auth, login, { body, headers: { 'Accept-Language': 'de-AT' } })).status).toBe(200)
  await eventually(() =>
    messagesOf(recorded, 'user.changed.v1').some(
      ({ _id, language }) => _id === user._id && language === 'de',
    ),
  )
  await recorded.close()
})

test('When an admin was written by an earlier version, then it counts as an active admin', async () => {
  const old = await newOldAccount('admin')
  const { body } = await call(auth, login, { body: { email: old.user.email, password: old.password } })
  const other = await newAdmin(system, auth)
  const demote = (token: string, userId: string) =>
    call(auth, updateUser, { token, params: { userId }, body: { role: 'user' } })
  expect((await demote(body.accessToken as string, other.user._id)).status).toBe(200)
})
