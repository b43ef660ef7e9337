import { eraseUser, listAccounts, login, updateUser, type AccountList } from '@confetti/contracts'
import { call, newAdmin, startTestSystem, type Account, type TestSystem } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'
import { connectDatabase, invite } from './account-fixtures.ts'

let system: TestSystem
let database: Connection
let auth: string
/** Stays the last admin between the tests. */
let owner: Account
beforeAll(async () => {
  system = await startTestSystem({ services: ['auth'], replicas: { auth: 2 } })
  auth = system.url('auth')
  database = await connectDatabase(system)
  owner = await newAdmin(system, auth)
})
afterAll(async () => {
  await database.close()
  await system.stop()
})

const demote = (by: Account, target: Account) =>
  call(auth, updateUser, { token: by.token, params: { userId: target.user._id }, body: { role: 'user' } })
const deactivate = (by: Account, target: Account) =>
  call(auth, updateUser, { token: by.token, params: { userId: target.user._id }, body: { active: false } })
const erase = (by: Account, target: Account) =>
  call(auth, eraseUser, { token: by.token, params: { userId: target.user._id } })
const removals = { demote, deactivate, erase }

const signInAgain = async ({ user: { email }, password, ...rest }: Account): Promise<Account> => {
  const { body } = await call(auth, login, { body: { email, password } })
  return { ...rest, password, user: body.user, token: body.accessToken as string }
}
const activeAdmins = async (token: string): Promise<string[]> =>
  ((await call(auth, listAccounts, { token })).body as AccountList).users
    .filter(({ role, active, invitedAt }) => role === 'admin' && active && !invitedAt)
    .map(({ email }) => email)

test.each(Object.entries(removals))('The last active admin cannot %s themselves', async (_, remove) => {
  expect(await remove(owner, owner)).toMatchObject({ status: 409, body: { code: 'last_admin' } })
  owner = await signInAgain(owner)
  expect(await activeAdmins(owner.token)).toEqual([owner.user.email])
})

test('An admin who has not accepted the invitation, and a deactivated one, do not count', async () => {
  await invite(auth, owner, { role: 'admin' })
  const other = await newAdmin(system, auth)
  expect((await deactivate(owner, other)).status).toBe(200)
  expect((await demote(owner, owner)).status).toBe(409)
})

test.each(Object.keys(removals) as (keyof typeof removals)[])(
  'When two admins %s each other at once, then one of them remains',
  async (name) => {
    const remove = removals[name]
    for (let round = 0; round < 5; round += 1) {
      owner = await signInAgain(owner)
      const other = await newAdmin(system, auth)
      const statuses = (await Promise.all([remove(owner, other), remove(other, owner)])).map(
        ({ status }) => status,
      )
      // The one who is removed first may be refused before the attempt.
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect([401, 409]).toContain(statuses.find((status) => status !== 200))
      owner = statuses[0] === 200 ? owner : await signInAgain(other)
      expect(await activeAdmins(owner.token)).toEqual([owner.user.email])
    }
  },
)

test('When three of four admins are removed at once, then all of them are', async () => {
  const others = [await newAdmin(system, auth), await newAdmin(system, auth), await newAdmin(system, auth)]
  const responses = await Promise.all(others.map((other) => demote(owner, other)))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
})

test('When a request died while it removed an admin, then others can still be removed, and that one as well', async () => {
  const [stuck, other] = [await newAdmin(system, auth), await newAdmin(system, auth)]
  await database
    .collection('users')
    .updateOne(
      { _id: new mongoose.Types.ObjectId(stuck.user._id) },
      { $set: { leavingAdminsSince: new Date(Date.now() - 60_000) } },
    )
  expect((await demote(stuck, owner)).status).toBe(200)
  expect((await demote(stuck, other)).status).toBe(200)
  expect((await demote(stuck, stuck)).status).toBe(409)
  owner = await signInAgain(stuck)
})

test('When an account is changed many times at once, then each change is made', async () => {
  const other = await newAdmin(system, auth)
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      call(auth, updateUser, {
        token: owner.token,
        params: { userId: other.user._id },
        body: { role: index % 2 ? 'user' : 'admin' },
      }),
    ),
  )
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
})
