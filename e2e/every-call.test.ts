import { internalRoutes, publicRoutes, type RouteContract } from '@confetti/contracts'
import {
  call,
  eventually,
  newEvent,
  newOrganiser,
  sendFiles,
  uniquePhoto,
  uploadForm,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startStand, type Stand } from './stand.ts'

let stand: Stand

beforeAll(async () => {
  stand = await startStand()
}, 120_000)
afterAll(() => stand.system.stop())

const routes = Object.entries<RouteContract>(publicRoutes)
const inputs = () => ({ params: { eventId: stand.event._id, uploadId: 'a'.repeat(24) } })

test.each(routes.filter(([, { access }]) => access !== 'anyone' && access !== 'guest-or-member'))(
  'When %s is called without a token, or with a false one, then it is refused',
  async (_, contract) => {
    for (const token of [undefined, 'nonsense', `${stand.admin.token}x`]) {
      const { status, body } = await call(stand.api, contract, { ...inputs(), token })
      expect([status, body.code]).toEqual([401, 'unauthenticated'])
    }
  },
)

test.each(routes.filter(([, { access }]) => access === 'admin' || access === 'user'))(
  'When %s is called with the wrong role, then it is refused',
  async (_, contract) => {
    const wrong = contract.access === 'admin' ? stand.organiser : stand.admin
    const { status, body } = await call(stand.api, contract, { ...inputs(), token: wrong.token })
    expect([status, body.code]).toEqual([403, 'wrong_role'])
  },
)

test.each(routes.filter(([, { body, multipart }]) => body && !multipart))(
  'When %s gets nothing, no JSON, a list or far too much, then it says so',
  async (_, contract) => {
    const token = contract.access === 'user' ? stand.organiser.token : stand.admin.token
    const post = async (body: string) => {
      const response = await fetch(`${stand.api}${contract.path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body,
      })
      return response.status
    }
    expect(await post('{}')).toBe(400)
    expect(await post('[]')).toBe(400)
    expect(await post('{"a":')).toBe(400)
    expect(await post(JSON.stringify({ a: 'x'.repeat(200_000) }))).toBe(413)
  },
)

test.each(routes.filter(([, { params }]) => params))(
  'When %s gets an id that is none, then it is not found',
  async (_, contract) => {
    const token = contract.access === 'user' ? stand.organiser.token : stand.admin.token
    for (const id of ['nonsense', 'b'.repeat(24)]) {
      const { status } = await call(stand.api, contract, { token, params: { eventId: id, uploadId: id } })
      expect(status).toBe(404)
    }
  },
)

test.each(Object.entries<RouteContract>(internalRoutes))(
  'When %s is called from outside, then there is nothing',
  async (_, contract) => {
    const { status } = await call(stand.api, contract, {
      params: { eventId: stand.event._id, userId: stand.admin.user._id },
    })
    expect(status).toBe(404)
  },
)

test('When another organiser asks, then an event and its uploads are not theirs', async () => {
  const { api, event } = stand
  await sendFiles(api, event._id, [{ name: 'mine.jpg', bytes: await uniquePhoto() }])
  const other = await newOrganiser(api)
  const statusOf = async (contract: RouteContract) =>
    (await call(api, contract, { token: other.token, params: { eventId: event._id } })).status
  expect(await statusOf(publicRoutes.listMyEventUploads)).toBe(404)
  expect(await statusOf(publicRoutes.createQrCode)).toBe(404)
  const seen = await call(api, publicRoutes.getEvent, { token: other.token, params: { eventId: event._id } })
  expect(seen.body).not.toHaveProperty('eventFor')
})

test('When a guest sends with a spent token, then it is not looked at; a member reading an event is asked to refresh', async () => {
  const expired = await startStand({
    services: ['auth', 'events', 'uploads', 'gateway', 'contact'],
    environment: { auth: { ACCESS_TOKEN_SECONDS: '15' } },
  })
  try {
    const { api, event, organiser } = expired
    const look = () =>
      call(api, publicRoutes.getEvent, { token: organiser.token, params: { eventId: event._id } })
    const refused = await eventually(async () => {
      const seen = await look()
      return seen.status !== 200 && seen
    })
    expect([refused.status, refused.body.code]).toEqual([401, 'token_expired'])
    const sent = await fetch(`${api}/api/uploads`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${organiser.token}` },
      body: uploadForm(event._id, 'Table 1', [{ name: 'g.jpg', bytes: await uniquePhoto() }]),
    })
    expect(sent.status).toBe(201)
  } finally {
    await expired.system.stop()
  }
})

test('When an upload is worked on by several services, then each logs it under the request id of the answer', async () => {
  const { api, event, system } = stand
  const sent = await sendFiles(api, event._id, [{ name: 'id.jpg', bytes: await uniquePhoto() }])
  const requestId = sent.headers.get('x-request-id') ?? ''
  expect(requestId).not.toBe('')
  for (const service of ['gateway', 'uploads', 'media'])
    await eventually(() =>
      system.log.some((line) => line.includes(`"service":"${service}"`) && line.includes(requestId)),
    )
})

test('When the document is asked for, then it describes every call, and the page that shows it is there', async () => {
  const document = (await (await fetch(`${stand.api}/api/openapi.json`)).json()) as {
    openapi: string
    paths: Record<string, object>
  }
  expect(document.openapi).toMatch(/^3\.1/)
  for (const [, { path, method }] of routes) expect(document.paths[path]).toHaveProperty(method)
  expect((await fetch(`${stand.api}/api/docs`)).status).toBe(200)
})

test('When an event is made and its code scanned within the same moment, then the guest is never told of an unknown event', async () => {
  const { api, admin, organiser } = stand
  for (let round = 0; round < 5; round += 1) {
    const event = await newEvent(api, admin, organiser)
    const sent = await sendFiles(api, event._id, [{ name: 'first.jpg', bytes: await uniquePhoto() }])
    expect(sent.status).toBe(201)
  }
})
