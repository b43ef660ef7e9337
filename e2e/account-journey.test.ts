import {
  contactAdmin,
  createEvent,
  listContacts,
  listMyEvents,
  listUsers,
  login,
  logout,
  refresh,
  register,
} from '@confetti/contracts'
import { call, randomEmail } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startStand, type Stand } from './stand.ts'

let stand: Stand

beforeAll(async () => {
  stand = await startStand({ services: ['auth', 'events', 'uploads', 'contact', 'gateway'] })
}, 120_000)
afterAll(() => stand.system.stop())

test('When an organiser joins, then account, session, event and message go their whole way', async () => {
  const { api, admin } = stand
  const credentials = { email: randomEmail(), password: 'a' }
  const joined = await call(api, register, { body: credentials })
  expect(joined.status).toBe(201)
  expect(joined.body.user).toMatchObject({ email: credentials.email, role: 'user' })
  expect((await call(api, register, { body: credentials })).status).toBe(409)

  const written = await call(api, contactAdmin, {
    token: joined.body.accessToken as string,
    body: { subject: 'A wedding in May', message: 'Could you set it up?' },
  })
  expect(written.status).toBe(201)
  const inbox = await call(api, listContacts, { token: admin.token })
  expect(inbox.body.messages[0]).toMatchObject({ subject: 'A wedding in May', userEmail: credentials.email })

  const users = await call(api, listUsers, { token: admin.token })
  expect(users.body).toContainEqual(joined.body.user)
  expect(users.body).not.toContainEqual(expect.objectContaining({ role: 'admin' }))
  const made = await call(api, createEvent, {
    token: admin.token,
    body: {
      name: 'May wedding',
      startDate: '2030-05-01',
      endDate: '2030-05-02',
      eventFor: joined.body.user._id,
    },
  })
  expect(made.status).toBe(201)

  const again = await call(api, login, { body: { ...credentials, email: credentials.email.toUpperCase() } })
  expect(again.status).toBe(200)
  const renewed = await call(api, refresh, { body: { refreshToken: again.body.refreshToken } })
  expect(renewed.status).toBe(200)
  const mine = await call(api, listMyEvents, { token: renewed.body.accessToken as string })
  expect(mine.body.events).toEqual([made.body.event])

  expect((await call(api, logout, { body: { refreshToken: renewed.body.refreshToken } })).status).toBe(200)
  const late = await call(api, refresh, { body: { refreshToken: renewed.body.refreshToken } })
  expect(late.status).toBe(401)
})
