import { isDeepStrictEqual } from 'node:util'
import {
  eraseUser,
  getUser,
  inviteUser,
  listAccounts,
  listRevokedTokens,
  listUsers,
  login,
  refresh,
  register,
  updateUser,
  type Account as AccountView,
  type AccountList,
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
import { newMessage, toEnvelope } from '@confetti/messaging'
import { systemClock } from '@confetti/service-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'
import { createUserModel } from '../src/storage/user-model.ts'
import { createUserStore } from '../src/storage/user-store.ts'
import { connectDatabase, invite, messagesOf } from './account-fixtures.ts'

let system: TestSystem
let recorded: RecordedMessages
let database: Connection
let store: ReturnType<typeof createUserStore>
let auth: string
let admin: Account
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth'],
    replicas: { auth: 2 },
    environment: { auth: { SESSION_SWEEP_SECONDS: '1' } },
  })
  auth = system.url('auth')
  recorded = await recordMessages(system)
  database = await connectDatabase(system)
  store = createUserStore(createUserModel(database), { wakeRelay: () => undefined, clock: systemClock })
  admin = await newAdmin(system, auth)
})
afterAll(async () => {
  await database.close()
  await recorded.close()
  await system.stop()
})

const list = async (query: Record<string, string>): Promise<AccountList> =>
  (await call(auth, listAccounts, { token: admin.token, query })).body as AccountList
const find = async (email: string): Promise<AccountView | undefined> =>
  (await list({ search: email })).users.find((user) => user.email === email)
const update = (userId: string, body: unknown) =>
  call(auth, updateUser, { token: admin.token, params: { userId }, body })
const erase = (userId: string) => call(auth, eraseUser, { token: admin.token, params: { userId } })
const signIn = (email: string, password: string) => call(auth, login, { body: { email, password } })
const tryRefresh = async (refreshToken: string) =>
  (await call(auth, refresh, { body: { refreshToken } })).status
const confirmErasure = async (userId: string): Promise<void> => {
  for (const service of ['contact', 'events', 'notifications'])
    await recorded.publish(
      toEnvelope(newMessage('user.erased.v1', { userId, service }), `/services/${service}`),
    )
}
const changesOf = (userId: string) =>
  messagesOf(recorded, 'user.changed.v1').filter(({ _id }) => _id === userId)

test('The list has each account with role, state and times, newest first', async () => {
  const { user, password } = await newOrganiser(auth)
  const listed = await find(user.email)
  expect(listed).toEqual({
    ...user,
    active: true,
    createdAt: expect.any(String),
    lastSignInAt: expect.any(String),
  })
  await signIn(user.email, password)
  const later = await find(user.email)
  expect(Date.parse(later?.lastSignInAt ?? '')).toBeGreaterThan(Date.parse(listed?.lastSignInAt ?? ''))

  const invited = await invite(auth, admin)
  const { users } = await list({ limit: '2' })
  expect(users[0]).toEqual(invited.user)
  expect(users[0]).not.toHaveProperty('lastSignInAt')
  expect(users[1]?.email).toBe(user.email)
})

test('The list can be searched by a part of the address, and is paged', async () => {
  const domain = `${randomEmail().split('@')[0]}.test`
  const emails = Array.from({ length: 5 }, (_, i) => `person-${i}+x@${domain}`)
  for (const email of emails) await call(auth, register, { body: { email, password: 'x' } })
  const found: string[] = []
  let after: string | undefined
  do {
    const page = await list({ search: `@${domain.toUpperCase()}`, limit: '2', ...(after && { after }) })
    expect(page.users.length).toBeLessThanOrEqual(2)
    found.push(...page.users.map(({ email }) => email))
    after = page.nextCursor
  } while (after)
  expect(found).toEqual(emails.reverse())
  expect((await list({ search: `3+x@${domain}` })).users).toHaveLength(1)
  // A full stop is no wildcard.
  expect((await list({ search: `3.x@${domain}` })).users).toHaveLength(0)
  for (const search of ['.*', '(', '$', '{"$ne":""}', 'x'.repeat(255)])
    expect(await call(auth, listAccounts, { token: admin.token, query: { search } })).toMatchObject({
      status: 400,
      body: { message: 'The search is a part of an email address.' },
    })
  expect((await call(auth, listAccounts, { token: admin.token, query: { after: 'x' } })).status).toBe(400)
})

test('When an account is deactivated, then its sessions and tokens end at once, it cannot sign in, and is not assigned', async () => {
  const other = await newAdmin(system, auth)
  const { user, password, token, refreshToken } = other
  expect(await update(user._id, { active: false })).toMatchObject({
    status: 200,
    body: { user: { email: user.email, active: false } },
  })
  expect((await call(auth, listUsers, { token })).status).toBe(401)
  expect(await tryRefresh(refreshToken)).toBe(401)
  expect(await signIn(user.email, password)).toMatchObject({
    status: 403,
    body: { code: 'account_deactivated' },
  })
  // Only who knows the password learns that the account exists.
  expect((await signIn(user.email, 'wrong')).status).toBe(401)
  const revoked = await call(auth, listRevokedTokens)
  expect(revoked.body.accounts).toContainEqual({ userId: user._id, revision: expect.any(Number) })
  const [change] = await eventually(() => {
    const changes = changesOf(user._id)
    return changes.length > 0 && changes
  })
  expect(change).toMatchObject({ ...user, active: false })

  expect((await update(user._id, { active: true })).status).toBe(200)
  expect((await signIn(user.email, password)).status).toBe(200)
  expect(await tryRefresh(refreshToken)).toBe(401)
})

test('A deactivated organiser is not in the list for assigning', async () => {
  const { user } = await newOrganiser(auth)
  await update(user._id, { active: false })
  expect((await call(auth, listUsers, { token: admin.token })).body).not.toContainEqual(user)
  expect(await find(user.email)).toMatchObject({ active: false })
  await update(user._id, { active: true })
  expect((await call(auth, listUsers, { token: admin.token })).body).toContainEqual(user)
})

test('When an account is promoted and demoted, then its session continues with the new role, and its old tokens end', async () => {
  const { user, token, refreshToken } = await newOrganiser(auth)
  await update(user._id, { role: 'admin' })
  expect((await call(auth, listUsers, { token })).status).toBe(401)
  const promoted = await call(auth, refresh, { body: { refreshToken } })
  expect((await call(auth, listUsers, { token: promoted.body.accessToken as string })).status).toBe(200)

  await update(user._id, { role: 'user' })
  expect((await call(auth, listUsers, { token: promoted.body.accessToken as string })).status).toBe(401)
  const demoted = await call(auth, refresh, { body: { refreshToken: promoted.body.refreshToken as string } })
  expect(demoted.status).toBe(200)
  expect((await call(auth, listUsers, { token: demoted.body.accessToken as string })).status).toBe(403)

  const changes = await eventually(() => changesOf(user._id).length >= 2 && changesOf(user._id))
  expect(changes.map(({ role }) => role)).toEqual(['admin', 'user'])
  const [first = 0, second = 0] = changes.map(({ revision }) => revision)
  expect(second).toBeGreaterThan(first)
})

test('When a change changes nothing, then no message is published, and access tokens stay valid', async () => {
  const { user, token, refreshToken } = await newAdmin(system, auth)
  expect((await update(user._id, { role: 'admin', active: true })).status).toBe(200)
  expect((await call(auth, listUsers, { token })).status).toBe(200)
  expect(await tryRefresh(refreshToken)).toBe(200)
  await update(user._id, { role: 'user' })
  await eventually(() => changesOf(user._id).length > 0)
  expect(changesOf(user._id).map(({ role }) => role)).toEqual(['user'])
})

test('When many changes of one account run at once, then each is published with a revision of its own', async () => {
  const { user } = await newOrganiser(auth)
  const responses = await Promise.all(
    ['admin', 'user', 'admin', 'user'].map((role) => update(user._id, { role })),
  )
  expect(responses.every(({ status }) => status === 200)).toBe(true)
  await update(user._id, { active: false })
  const changes = await eventually(() => {
    const published = changesOf(user._id)
    return published.some(({ active }) => !active) && published
  })
  const revisions = changes.map(({ revision }) => revision)
  expect(new Set(revisions).size).toBe(revisions.length)
})

test('When an account is erased, then nothing of it remains, user.deleted is published, and its address is free', async () => {
  const { user, password, token, refreshToken } = await newOrganiser(auth)
  expect(await erase(user._id)).toMatchObject({ status: 200, body: { message: 'Account erased.' } })
  expect(await tryRefresh(refreshToken)).toBe(401)
  expect((await signIn(user.email, password)).status).toBe(401)
  expect((await call(auth, listUsers, { token })).status).toBe(401)
  expect((await call(auth, getUser, { params: { userId: user._id } })).status).toBe(404)
  expect(await find(user.email)).toBeUndefined()
  await eventually(() => recorded.ofType('user.deleted.v1').find(({ data }) => data._id === user._id))

  // The message, which names the address, is stored until all services have erased what they had.
  await confirmErasure(user._id)
  await eventually(async () => {
    const stored = JSON.stringify([
      await database.collection('users').find().toArray(),
      await database.collection('sessions').find().toArray(),
    ])
    return !stored.includes(user.email)
  }, 'no address in the database')
  expect(await database.collection('sessions').countDocuments({ userId: user._id })).toBe(0)

  const again = await call(auth, register, { body: { email: user.email, password: 'new' } })
  expect(again.status).toBe(201)
  expect(again.body.user._id).not.toBe(user._id)
  for (const body of [{ active: true }, { role: 'admin' }])
    expect((await update(user._id, body)).status).toBe(404)
  expect((await erase(user._id)).status).toBe(404)
})

test('When the access tokens of an erased account have expired, then its empty record is removed', async () => {
  const { user } = await newOrganiser(auth)
  const _id = new mongoose.Types.ObjectId(user._id)
  await erase(user._id)
  expect(await database.collection('users').findOne({ _id })).toMatchObject({ erased: true })
  await database
    .collection('users')
    .updateOne({ _id }, { $set: { accessRevokedAt: new Date(Date.now() - 3_600_000) } })
  await confirmErasure(user._id)
  await eventually(async () => (await database.collection('users').findOne({ _id })) === null)
  expect(recorded.ofType('user.deleted.v1').some(({ data }) => data._id === user._id)).toBe(true)
})

test('When a service does not confirm the erasure of an account, then it is asked again, with the address', async () => {
  const { user } = await newOrganiser(auth)
  await erase(user._id)
  const requests = () => recorded.distinct('user.deleted.v1').filter(({ data }) => data._id === user._id)
  await eventually(() => requests().length === 1)
  expect(await store.findOldestErasure('contact')).toBeInstanceOf(Date)
  const now = new Date()
  await eventually(
    async () => (await store.listUnerased(now)).includes(user._id),
    'the message to be marked as sent',
  )
  await store.repeatErasure(user._id, now, now)
  await eventually(() => requests().length === 2, 'the second request')
  expect(requests()[1]?.data).toEqual({ ...requests()[0]?.data, _id: user._id, email: user.email })
  await confirmErasure(user._id)
  const _id = new mongoose.Types.ObjectId(user._id)
  await eventually(async () => {
    const record = await database.collection('users').findOne({ _id })
    return record?.erasureRequestedAt === undefined && record?.erasedEmail === undefined
  }, 'the end of the requests')
})

test('When an operator stores that an account is erased which only other services have, then all are asked to erase it, and no existing account is touched', async () => {
  const users = database.collection('users')
  const email = randomEmail()
  const time = '2026-06-12T21:00:00.000Z'
  // The update of the runbook for restoring.
  const markErased = (_id: mongoose.Types.ObjectId) =>
    users.updateOne(
      { _id, erased: true },
      {
        $set: { erasedEmail: email, erasureRequestedAt: new Date(0), accessRevokedAt: new Date(time) },
        $unset: { erasedBy: 1 },
        $setOnInsert: {
          email: `erased ${_id.toHexString()}`,
          role: 'user',
          active: false,
          createdAt: new Date(time),
          outbox: [],
          outboxPending: false,
          outboxVersion: 0,
          outboxLeaseUntil: new Date(0),
        },
      },
      { upsert: true },
    )
  const unknown = new mongoose.Types.ObjectId()
  const { user: erased } = await newOrganiser(auth)
  await erase(erased._id)
  await confirmErasure(erased._id)
  const _id = new mongoose.Types.ObjectId(erased._id)
  await eventually(
    async () => (await users.findOne({ _id, outboxPending: false }))?.erasedEmail === undefined,
    'the end of the first erasure',
  )

  for (const each of [unknown, _id]) {
    await markErased(each)
    const userId = each.toHexString()
    const now = new Date()
    expect(await store.listUnerased(now)).toContain(userId)
    await store.repeatErasure(userId, now, now)
    const expected = { _id: userId, email, erasedAt: time }
    await eventually(
      () => recorded.ofType('user.deleted.v1').some(({ data }) => isDeepStrictEqual(data, expected)),
      'the request',
    )
    await confirmErasure(userId)
    await eventually(async () => (await users.findOne({ _id: each })) === null, 'the end of the erasure')
  }
  const existing = new mongoose.Types.ObjectId(admin.user._id)
  await expect(markErased(existing)).rejects.toThrow('duplicate key')
  expect(await find(admin.user.email)).toBeDefined()
})

test('Two accounts can be erased, although addresses are unique', async () => {
  for (const { user } of [await newOrganiser(auth), await newOrganiser(auth)])
    expect((await erase(user._id)).status).toBe(200)
})

test.each([
  [{}, 'Please send what to change.'],
  [{ role: 'owner' }, undefined],
  [{ role: null }, undefined],
  [{ active: 'no' }, 'Active is true or false.'],
  [{ active: { $ne: true } }, 'Active is true or false.'],
])('Changing an account by %j is rejected', async (body, message) => {
  const { user } = await newOrganiser(auth)
  expect(await update(user._id, body)).toMatchObject({ status: 400, ...(message && { body: { message } }) })
})

test('Only admins can list, invite, change and erase accounts', async () => {
  const { user, token } = await newOrganiser(auth)
  const input = { params: { userId: user._id }, body: { role: 'admin' } }
  for (const contract of [updateUser, inviteUser]) {
    expect((await call(auth, contract, input)).status).toBe(401)
    expect((await call(auth, contract, { ...input, token })).status).toBe(403)
  }
  for (const contract of [listAccounts, eraseUser])
    expect((await call(auth, contract, { params: input.params, token })).status).toBe(403)
  expect((await find(user.email))?.role).toBe('user')
})
