import {
  buildPath,
  internalRoutes,
  publicRoutes,
  takesAccessToken,
  type RouteContract,
} from '@confetti/contracts'
import { call, eventually, newEvent, newOrganiser, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { beforeAll, expect, test } from '@jest/globals'
import { type Harness } from './harness.ts'
import { tokenForRoute } from './security/api-requests.ts'
import { joinSystem } from './shared-system.ts'

let harness: Harness
let contactId: string

beforeAll(async () => {
  harness = await joinSystem()
  const { body } = await call(harness.api, publicRoutes.contactAdmin, {
    token: harness.organiser.token,
    body: { subject: 'Hello', message: 'Please.' },
  })
  contactId = String(body.contact._id)
})

/** What routes with ids require in their bodies. */
const validBody = {
  email: 'somebody@confetti.test',
  active: true,
  message: 'Hello',
  uploadIds: ['a'.repeat(24)],
  visibility: 'hidden',
}
const routes = Object.entries<RouteContract>(publicRoutes)
const validInput = () => ({
  params: {
    eventId: harness.event._id,
    uploadId: 'a'.repeat(24),
    userId: 'a'.repeat(24),
    contactId: 'a'.repeat(24),
    invitationId: 'a'.repeat(24),
  },
})

test.each(
  routes.filter(([, contract]) => takesAccessToken(contract) && contract.access !== 'guest-or-member'),
)(
  'When %s is called without a token or with an invalid one, then the response is 401',
  async (_, contract) => {
    for (const token of [undefined, 'nonsense', `${harness.admin.token}x`]) {
      const { status, body } = await call(harness.api, contract, { ...validInput(), token })
      expect([status, body.code]).toEqual([401, 'unauthenticated'])
    }
  },
)

test.each(routes.filter(([, { access }]) => ['admin', 'user', 'organiser'].includes(access)))(
  'When %s is called with the wrong role, then the response is 403',
  async (_, contract) => {
    const wrongAccount = contract.access === 'admin' ? harness.organiser : harness.admin
    const { status, body } = await call(harness.api, contract, { ...validInput(), token: wrongAccount.token })
    expect([status, body.code]).toEqual([403, 'wrong_role'])
  },
)

test.each(routes.filter(([, { body, multipart }]) => body && !multipart))(
  'When %s gets an empty object, a list, malformed JSON or too large a body, then it is rejected',
  async (_, contract) => {
    const token = tokenForRoute(contract, harness)
    const post = async (body: string) => {
      const path = buildPath(contract, validInput().params)
      const response = await fetch(`${harness.api}${path}`, {
        method: contract.method.toUpperCase(),
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body,
      })
      return response.status
    }
    // An archive of everything needs no options, and a change may change nothing.
    if (!contract.path.endsWith('/archives') && contract.method !== 'patch')
      expect(await post('{}')).toBe(400)
    expect(await post('[]')).toBe(400)
    expect(await post('{"a":')).toBe(400)
    expect(await post(JSON.stringify({ a: 'x'.repeat(200_000) }))).toBe(413)
  },
)

/** What a schema says of its parts. */
interface Schema {
  _zod: {
    def: {
      innerType?: Schema
      element?: Schema
      valueType?: Schema
      options?: Schema[]
      shape?: Record<string, Schema>
    }
  }
}

/** One value for each object in a body of this schema, in which that object has a field that does not exist. */
const withUninvited = ({ _zod: { def } }: Schema, wrap = (value: unknown) => value): unknown[] => {
  if (def.innerType) return withUninvited(def.innerType, wrap)
  if (def.element) return withUninvited(def.element, (value) => wrap([value]))
  if (def.valueType) return withUninvited(def.valueType, (value) => wrap({ any: value }))
  if (def.options) return def.options.flatMap((option) => withUninvited(option, wrap))
  if (!def.shape) return []
  const inFields = Object.entries(def.shape).flatMap(([name, field]) =>
    withUninvited(field, (value) => wrap({ [name]: value })),
  )
  return [wrap({ uninvited: { any: 1 } }), ...inFields]
}

test.each(routes.filter(([, { body, multipart }]) => body && !multipart))(
  'When %s gets a field that does not exist, then it names it, if the caller may use the record',
  async (id, contract) => {
    const { api, organiser, event } = harness
    const params = { eventId: event._id, userId: organiser.user._id, contactId }
    const post = (token: string, body: unknown = { uninvited: 1 }) =>
      call(api, contract, { token, params, body })
    for (const uninvited of withUninvited(contract.body as unknown as Schema)) {
      const { status, body } = await post(tokenForRoute(contract, harness), uninvited)
      expect([JSON.stringify(uninvited), status]).toEqual([JSON.stringify(uninvited), 400])
      if (contract.allowsUnknownFields) expect(body.code).toBe('invalid')
      else {
        const field = expect.stringMatching(/(^|\.)uninvited$/)
        expect([body.code, body.details]).toMatchObject(['unknown_field', [{ field }]])
      }
    }

    const isOfEvent = contract.params && 'eventId' in contract.params.shape
    const isForGuests = contract.access.startsWith('guest')
    if (isOfEvent && contract.access !== 'admin' && !isForGuests)
      expect([id, (await post((await newOrganiser(api)).token)).status]).toEqual([id, 404])
  },
)

test.each(routes.filter(([, { params }]) => params))(
  'When %s gets a malformed or unknown id, then the response is 404',
  async (_, contract) => {
    const token = tokenForRoute(contract, harness)
    for (const id of ['nonsense', 'b'.repeat(24)]) {
      const { status } = await call(harness.api, contract, {
        token,
        params: { eventId: id, uploadId: id, userId: id, contactId: id, invitationId: id },
        // The ids are checked before the content of the body, but after its form.
        ...(contract.body && !contract.path.endsWith('/archives') && { body: validBody }),
      })
      expect(status).toBe(404)
    }
  },
)

test.each(Object.entries<RouteContract>(internalRoutes))(
  'When the internal route %s is called through the gateway, then the response is 404',
  async (_, contract) => {
    const { status } = await call(harness.api, contract, {
      params: { eventId: harness.event._id, userId: harness.admin.user._id },
    })
    expect(status).toBe(404)
  },
)

test('When an organiser requests the event of another, then its uploads and its organiser are not accessible', async () => {
  const { api, event } = harness
  await sendFiles(api, event._id, [{ name: 'photo.jpg', bytes: await uniquePhoto() }])
  const otherOrganiser = await newOrganiser(api)
  const statusOf = async (contract: RouteContract) =>
    (await call(api, contract, { token: otherOrganiser.token, params: { eventId: event._id } })).status
  expect(await statusOf(publicRoutes.listMyEventUploads)).toBe(404)
  expect(await statusOf(publicRoutes.createQrCode)).toBe(404)
  expect(await statusOf(publicRoutes.updateEvent)).toBe(404)
  expect(await statusOf(publicRoutes.createWall)).toBe(404)
  expect(await statusOf(publicRoutes.deleteWall)).toBe(404)
  const response = await call(api, publicRoutes.getEvent, {
    token: otherOrganiser.token,
    params: { eventId: event._id },
  })
  expect(response.body).not.toHaveProperty('eventFor')
})

test('When several services process an upload, then each logs the request id of the response', async () => {
  const { api, event, system } = harness
  const { headers } = await sendFiles(api, event._id, [{ name: 'id.jpg', bytes: await uniquePhoto() }])
  const requestId = headers.get('x-request-id') ?? ''
  expect(requestId).not.toBe('')
  for (const service of ['gateway', 'uploads', 'media'])
    await eventually(() =>
      system.log.some((line) => line.includes(`"service":"${service}"`) && line.includes(requestId)),
    )
})

test('When the OpenAPI document is requested, then it describes every route, and the documentation page is served', async () => {
  const document = (await (await fetch(`${harness.api}/api/openapi.json`)).json()) as {
    openapi: string
    paths: Record<string, object>
  }
  expect(document.openapi).toMatch(/^3\.1/)
  for (const [, { path, method }] of routes) expect(document.paths[path]).toHaveProperty(method)
  expect((await fetch(`${harness.api}/api/docs`)).status).toBe(200)
})

test('When a guest uploads immediately after an event was created, then the event is known', async () => {
  const { api, admin, organiser } = harness
  for (let round = 0; round < 5; round += 1) {
    const event = await newEvent(api, admin, organiser)
    const { status } = await sendFiles(api, event._id, [{ name: 'first.jpg', bytes: await uniquePhoto() }])
    expect(status).toBe(201)
  }
})
