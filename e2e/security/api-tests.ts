import { createHmac, randomUUID } from 'node:crypto'
import {
  contactAdmin,
  createEventArchive,
  listEventUploads,
  listMyEventUploads,
  publicRoutes,
  type RouteContract,
  type Upload,
} from '@confetti/contracts'
import {
  call,
  eventually,
  newEvent,
  newOrganiser,
  randomEmail,
  sendFiles,
  uniquePhoto,
  uploadForm,
  type Account,
} from '@confetti/test-kit'
import { beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { listUploads, type Harness } from '../harness.ts'
import { joinBundledSystem } from '../shared-system.ts'
import { expectDocumentedResponse, sendRequest, tokenForRoute } from './api-requests.ts'
import { fuzz, FUZZ_TIMEOUT_MS } from './fuzz.ts'
import { findErrors } from './log-lines.ts'
import { fetchOpenApiDocument, type OpenApiDocument, type Operation } from './openapi-document.ts'
import { createOperatorInjections, parameterNamesWithOperators } from './operator-injection.ts'
import { createValidInput, requestInputs, type KnownValues, type RequestInput } from './request-generators.ts'
import { malformedBodies } from './unexpected-values.ts'

let harness: Harness
let document: OpenApiDocument
let knownValues: KnownValues
let tokens: (string | undefined)[]
/** The token of a guest, and the ids of their photos, which are ready. */
let reporter: string
let reported: string[]

// They end the sessions of their caller, who is therefore somebody else for each of them.
const sessionEndingOperations = ['changePassword', 'logoutAll']

// One of each service that takes JSON: the same code parses it in all routes of a service.
const jsonRoutes = ['register', 'createEvent', 'createUploadTickets', 'contactAdmin', 'reportClientError']

/** The answers to valid input without what it takes: a token of a mail, copies that the sweep has asked for. */
const statusesWithoutProof: Record<string, number> = { resetPassword: 400, createGalleryArchive: 404 }

beforeAll(async () => {
  harness = await joinBundledSystem()
  const { api, admin, organiser, event } = harness
  document = await fetchOpenApiDocument(api)
  const files = Array.from({ length: 6 }, async (_, n) => ({ name: `${n}.jpg`, bytes: await uniquePhoto() }))
  await sendFiles(api, event._id, await Promise.all(files))
  reporter = await newGuestToken()
  reported = await sendAsGuest(reporter, 2)
  // All of them, because the tests compare lists.
  const uploads = await eventually(async () => {
    const sent = await listUploads(harness)
    return sent.every(({ status }) => status === 'ready') && sent.filter(({ _id }) => !reported.includes(_id))
  }, 'the photos to be ready')
  const page = await call(api, listEventUploads, {
    token: admin.token,
    params: { eventId: event._id },
    query: { limit: '1' },
  })
  const archive = await call(api, createEventArchive, {
    token: admin.token,
    params: { eventId: event._id },
    body: {},
  })
  const [, token = '', filename = ''] = /archives\/([^/]+)\/([^/]+)$/.exec(archive.body.url as string) ?? []
  const otherOrganiser = await newOrganiser(api)
  const params = { eventId: event._id }
  await call(api, publicRoutes.updateEvent, {
    token: admin.token,
    params,
    body: { settings: { cover: uploads[0]?._id, gallery: 'on' } },
  })
  await eventually(
    async () => (await call(api, publicRoutes.getEventCover, { params })).status === 200,
    'the cover',
  )
  knownValues = {
    token: [token],
    subscription: [signSubscription(harness.system, event._id, organiser.user._id)],
    contactId: [await sendContact(api, organiser.token)],
    filename: [decodeURIComponent(filename)],
    code: [event.shortCode ?? ''],
    eventId: [event._id],
    uploadId: uploads.map(({ _id }) => _id),
    uploadIds: uploads.slice(0, 1).map(({ _id }) => _id),
    visibility: ['visible'],
    moderation: ['approve'],
    gallery: ['on'],
    save: ['copy'],
    revealAt: ['2026-06-01T20:00:00Z'],
    organisers: [organiser.user._id],
    cover: [uploads[0]?._id ?? ''],
    pin: ['Tulip42'],
    pinInLinks: ['on'],
    text: ['You may show my photos.'],
    url: ['https://example.org/terms'],
    timeZone: ['Europe/Berlin'],
    uploadsCloseAt: ['2030-01-01T00:00:00Z'],
    limit: ['1', '1000'],
    order: ['uploaded', 'taken'],
    after: [page.body.nextCursor as string],
    since: [page.body.version as string],
    credit: uploads.slice(0, 1).map(({ photoCredit }) => photoCredit),
    email: [organiser.user.email],
    password: [organiser.password],
    refreshToken: [otherOrganiser.refreshToken],
    startDate: ['2026-06-01'],
    endDate: ['2026-06-02'],
    eventFor: [organiser.user._id],
    userId: await newUserIds(1),
    invitationId: ['a'.repeat(24)],
    role: ['user'],
    search: ['confetti'],
    actor: [organiser.user.email],
    action: ['event.created'],
    from: ['2026-06-01'],
    to: ['2030-06-01T00:00:00Z'],
    currentPassword: [organiser.password],
    newPassword: ['a new password'],
    photoCredit: ['Table 4'],
    name: ['Wedding'],
    subject: ['A new event'],
    message: ['Please.'],
    remote: ['public'],
    release: ['0.2.0'],
    page: ['/upload'],
    error: ['TypeError: x is undefined'],
  }
  tokens = [admin.token, admin.token, organiser.token, organiser.token, undefined, 'no.such.token']
})

/** The ids of new accounts, which the operations on accounts change and erase. */
const newUserIds = async (count: number): Promise<string[]> => {
  const ids: string[] = []
  while (ids.length < count) ids.push((await newOrganiser(harness.api)).user._id)
  return ids
}

/** A new invitation to organise an event, and the token of its link. */
const newOrganiserInvitation = async (eventId: string) => {
  const { body } = await call(harness.api, publicRoutes.inviteOrganiser, {
    token: harness.admin.token,
    params: { eventId },
    body: { email: randomEmail() },
  })
  const { _id, url } = body.invitation as { _id: string; url: string }
  return { invitationId: _id, token: new URL(url).hash.slice('#token='.length) }
}

const newInvitationToken = async (): Promise<string> => {
  const { body } = await call(harness.api, publicRoutes.inviteUser, {
    token: harness.admin.token,
    body: { email: randomEmail(), role: 'user' },
  })
  return new URL(body.invitationUrl as string).hash.slice('#token='.length)
}

/** The parameter of a link that ends the digests of an event. */
const signSubscription = (system: Harness['system'], eventId: string, userId: string): string => {
  const secret = system.environment('notifications').UNSUBSCRIBE_SECRET ?? ''
  const text = `unsubscribe/${eventId}/${userId}`
  return `${eventId}.${userId}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const sendContact = async (api: string, token: string): Promise<string> => {
  const { body } = await call(api, contactAdmin, { token, body: { subject: 'Hello', message: 'Please.' } })
  return body.contact._id as string
}

const findOperation = (id: string): Operation => {
  const operation = document.operations.find((each) => each.id === id)
  if (!operation) throw new Error(`the OpenAPI document has no operation ${id}`)
  return operation
}

const sendAndValidate = async (operation: Operation, input: RequestInput, token?: string) => {
  const response = await sendRequest(harness.api, operation, input, token)
  return {
    status: response.status,
    body: await expectDocumentedResponse(document, operation, input, response),
  }
}

const isDeletion = (contract: RouteContract): boolean => contract.method === 'delete'
/** Those that delete come last: with generated input, they also delete what the others need. */
const routes = Object.entries<RouteContract>(publicRoutes).toSorted(
  ([, a], [, b]) => Number(isDeletion(a)) - Number(isDeletion(b)),
)

test.each(routes.filter(([, { params, query, body }]) => params ?? query ?? body))(
  'When %s gets database operators as values, then it rejects them',
  async (id, contract) => {
    const operation = findOperation(id)
    // What is changed here must not change what the other routes use.
    const values = { ...knownValues, ...(id === 'updateEvent' && (await valuesOf(id, undefined))) }
    for (const [status, input] of createOperatorInjections(operation, createValidInput(operation, values)))
      expect([
        input,
        (await sendAndValidate(operation, input, tokenForRoute(contract, harness))).status,
      ]).toEqual([input, status])
  },
)

const newGuestToken = async (): Promise<string> => {
  const { headers } = await fetch(`${harness.api}/api/events/${harness.event._id}`)
  return headers.get('X-Guest-Token') ?? ''
}
const sendAsGuest = async (guestToken: string, count: number): Promise<string[]> => {
  const files = Array.from({ length: count }, async () => ({ name: 'new.jpg', bytes: await uniquePhoto() }))
  const { body } = await call(harness.api, publicRoutes.createUploads, {
    headers: { 'X-Guest-Token': guestToken },
    body: uploadForm(harness.event._id, 'Table 4', await Promise.all(files)),
  })
  return (body.uploads as Upload[]).map(({ _id }) => _id)
}
/** The key of a new link to the live wall; an earlier one ends. */
const newWallKey = async (): Promise<string> => {
  const { api, admin, event } = harness
  const { body } = await call(api, publicRoutes.createWall, {
    token: admin.token,
    params: { eventId: event._id },
  })
  const key = new URL(body.url as string).hash.slice(1)
  for (const operation of [publicRoutes.listWall, publicRoutes.followEvent])
    await eventually(async () => {
      const url = `${api}${operation.path.replace('{eventId}', event._id)}`
      const response = await fetch(url, { headers: { 'X-Wall-Key': key } })
      await response.body?.cancel()
      return response.status === 200
    }, 'the key of the live wall')
  return key
}

/** The key of a new link to what `reporter` has sent. */
const newOwnKey = async (): Promise<string> => {
  const { api, event } = harness
  const { body } = await call(api, publicRoutes.createOwnLink, {
    headers: { 'X-Guest-Token': reporter },
    body: { eventId: event._id },
  })
  return new URL(body.url as string).hash.slice(1)
}

/** What the caller of a route proves, and the uploads that this is about. */
const proofOf = async (
  id: string,
  { access, body }: RouteContract,
): Promise<{ headers: Record<string, string>; values?: KnownValues }> => {
  if (id === 'listWall') return { headers: { 'X-Wall-Key': await newWallKey() } }
  if (id === 'followEvent')
    return { headers: { 'X-Wall-Key': await newWallKey(), 'Last-Event-ID': `${randomUUID()}-1` } }
  if (id === 'getOwnLink') return { headers: { 'X-Guest-Key': await newOwnKey() } }
  if (id === 'renameGuestUploads') return { headers: { 'X-Guest-Token': reporter } }
  if (access === 'guest') return { headers: { 'X-Guest-Token': reporter }, values: { uploadId: reported } }
  // Those with a body send something, and are about nothing that was sent before.
  if (access !== 'guest-or-anyone' || body) return { headers: {} }
  const guestToken = await newGuestToken()
  return {
    headers: { 'X-Guest-Token': guestToken },
    values: { uploadId: await sendAsGuest(guestToken, 3) },
  }
}

/** Removes the signed links, which differ between two responses. */
const withoutLinks = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) => (/url$/i.test(name) ? undefined : value))

test.each(Object.entries({ listEventUploads, listMyEventUploads }))(
  'When %s gets database operators in parameter names, then it ignores these parameters',
  async (id, contract) => {
    const operation = findOperation(id)
    const validInput = createValidInput(operation, knownValues)
    for (const input of [validInput, { ...validInput, parameters: { eventId: harness.event._id } }]) {
      const { status, body } = await sendAndValidate(operation, input, tokenForRoute(contract, harness))
      expect(status).toBe(200)
      for (const name of parameterNamesWithOperators(operation)) {
        const injected = await sendAndValidate(
          operation,
          { ...input, extraQuery: [[name, '2']] },
          tokenForRoute(contract, harness),
        )
        expect([name, injected.status, withoutLinks(injected.body)]).toEqual([name, 200, withoutLinks(body)])
      }
    }
  },
)

/** What a call of a route changes or removes is its own. */
const valuesOf = async (id: string, caller: Account | undefined): Promise<KnownValues> => {
  const { api, admin, organiser } = harness
  const newEventOf = async (...others: Account[]) => {
    const event = await newEvent(api, admin, organiser)
    const organisers = [organiser, ...others].map(({ user }) => user._id)
    const params = { eventId: event._id }
    await call(api, publicRoutes.updateEvent, { token: admin.token, params, body: { organisers } })
    return [event._id]
  }
  const newUploadOf = async () => {
    const { body } = await sendFiles(api, harness.event._id, [
      { name: 'new.jpg', bytes: await uniquePhoto() },
    ])
    return [String(body.uploads[0]._id)]
  }
  if (id === 'deleteMyUpload') return { uploadId: await newUploadOf() }
  if (id === 'renameCredit' || id === 'renameMyCredit') {
    const eventId = await newEventOf()
    await sendFiles(api, eventId[0] ?? '', [{ name: 'new.jpg', bytes: await uniquePhoto() }])
    return { eventId, from: ['Table 4'], to: ['Table 5', 'Table 4'] }
  }
  if (id === 'register' || id === 'inviteUser') return { email: [randomEmail()] }
  if (id === 'acceptInvitation' || id === 'readInvitation') return { token: [await newInvitationToken()] }
  if (['updateUser', 'sendPasswordReset', 'eraseUser'].includes(id)) return { userId: await newUserIds(4) }
  if (caller) return { currentPassword: [caller.password] }
  // An archive of an event waits for what is stored in it meanwhile.
  if (['deleteEvent', 'updateEvent', 'createUploads'].includes(id)) return { eventId: await newEventOf() }
  if (id === 'createEventPass') {
    const eventId = await newEventOf()
    const params = { eventId: eventId[0] ?? '' }
    const body = { settings: { pin: 'Tulip42' } }
    const changed = await call(api, publicRoutes.updateEvent, { token: admin.token, params, body })
    const { hash } = new URL(changed.body.event.uploadUrl as string)
    return { eventId, key: [new URLSearchParams(hash.slice(1)).get('key') ?? ''] }
  }
  if (id === 'inviteOrganiser') return { eventId: await newEventOf(), email: [randomEmail()] }
  if (/^(withdraw|read|accept)OrganiserInvitation$/.test(id)) {
    const eventId = await newEventOf()
    const { invitationId, token } = await newOrganiserInvitation(eventId[0] ?? '')
    return { eventId, invitationId: [invitationId], token: [token] }
  }
  if (id !== 'removeOrganiser') return {}
  const other = await newOrganiser(api)
  return { eventId: await newEventOf(other), userId: [other.user._id] }
}

test.each(routes)(
  'When %s is called with generated input, then its responses comply with the OpenAPI document',
  async (id, contract) => {
    const operation = findOperation(id)
    const caller = sessionEndingOperations.includes(id) ? await newOrganiser(harness.api) : undefined
    const proof = await proofOf(id, contract)
    const values = { ...knownValues, ...(await valuesOf(id, caller)), ...proof.values }
    const validInput = { ...createValidInput(operation, values), headers: proof.headers }
    const { status: validStatus } = await sendAndValidate(
      operation,
      validInput,
      caller?.token ?? tokenForRoute(contract, harness),
    )
    const expectedStatus = statusesWithoutProof[id]
    if (expectedStatus) expect(validStatus).toBe(expectedStatus)
    // Of a redirect, too.
    else expect(validStatus).toBeLessThan(400)
    for (const body of jsonRoutes.includes(id) ? malformedBodies : [])
      await sendAndValidate(operation, { ...validInput, body }, harness.admin.token)

    const inputs = fc.record({
      input: requestInputs(document, operation, values, proof.headers),
      token: fc.constantFrom(...(caller ? [caller.token, undefined, 'no.such.token'] : tokens)),
    })
    const property = fc.asyncProperty(inputs, async ({ input, token }) => {
      await sendAndValidate(operation, input, token)
    })
    await fuzz(id, property, { cases: 12, timeShare: 1 / 18 })
  },
  FUZZ_TIMEOUT_MS,
)

test('When all tests have run, then new users have no admin rights and no service has logged an error', async () => {
  const { api, system } = harness
  const newUser = await newOrganiser(api)
  expect(newUser.user.role).toBe('user')
  expect((await call(api, publicRoutes.listUsers, { token: newUser.token })).status).toBe(403)
  expect(findErrors(system.log)).toEqual([])
})
