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
import { beforeAll, expect, test } from '@jest/globals'
import { type Harness } from './harness.ts'
import { joinSystem } from './shared-system.ts'

let harness: Harness

beforeAll(async () => {
  harness = await joinSystem()
})

test('When an organiser registers, then account, contact message, event and session work together', async () => {
  const { api, admin } = harness
  const credentials = { email: randomEmail(), password: 'a' }
  const registered = await call(api, register, { body: credentials })
  expect(registered.status).toBe(201)
  expect(registered.body.user).toMatchObject({ email: credentials.email, role: 'user' })
  expect((await call(api, register, { body: credentials })).status).toBe(409)

  const contacted = await call(api, contactAdmin, {
    token: registered.body.accessToken as string,
    body: { subject: 'A wedding in May', message: 'Could you set it up?' },
  })
  expect(contacted.status).toBe(201)
  const inbox = await call(api, listContacts, { token: admin.token })
  expect(inbox.body.messages[0]).toMatchObject({ subject: 'A wedding in May', userEmail: credentials.email })

  const users = await call(api, listUsers, { token: admin.token })
  expect(users.body).toContainEqual(registered.body.user)
  expect(users.body).not.toContainEqual(expect.objectContaining({ role: 'admin' }))
  const created = await call(api, createEvent, {
    token: admin.token,
    body: {
      name: 'May wedding',
      startDate: '2030-05-01',
      endDate: '2030-05-02',
      eventFor: registered.body.user._id,
    },
  })
  expect(created.status).toBe(201)

  const signedIn = await call(api, login, {
    body: { ...credentials, email: credentials.email.toUpperCase() },
  })
  expect(signedIn.status).toBe(200)
  const refreshed = await call(api, refresh, { body: { refreshToken: signedIn.body.refreshToken } })
  expect(refreshed.status).toBe(200)
  const myEvents = await call(api, listMyEvents, { token: refreshed.body.accessToken as string })
  expect(myEvents.body.events).toEqual([created.body.event])

  const { refreshToken } = refreshed.body
  expect((await call(api, logout, { body: { refreshToken } })).status).toBe(200)
  const afterLogout = await call(api, refresh, { body: { refreshToken } })
  expect(afterLogout.status).toBe(401)
})
