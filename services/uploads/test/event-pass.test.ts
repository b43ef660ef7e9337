import { Readable } from 'node:stream'
import { prefixOf, tagOf } from '@confetti/blob-storage'
import {
  completeUploads,
  createOwnLink,
  createUploads,
  createUploadTickets,
  createWall,
  EVENT_PASS_HEADER,
  getEvent,
  getEventCopy,
  getOwnLink,
  GUEST_KEY_HEADER,
  listGallery,
  listGuestUploads,
  listWall,
  resumeUploads,
  serviceRoutes,
  updateEvent,
  WALL_KEY_HEADER,
  type Event,
  type EventCopy,
  type RouteContract,
} from '@confetti/contracts'
import { issuePass } from '@confetti/service-kit'
import {
  call,
  eventually,
  newOrganiser,
  newTicket,
  putFile,
  uniquePhoto,
  uploadForm,
  type SendTicket,
} from '@confetti/test-kit'
import { buildUploadForm } from '@confetti/test-kit/upload-form'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { CACHE_TTL_MS } from '../src/events.ts'
import {
  asGuest,
  eventWith,
  newGuest,
  photo,
  sendPhoto,
  startGallerySystem,
  uploadsOf,
  type GallerySystem,
} from './gallery-event.ts'

let context: GallerySystem
let aheadMs = 0
beforeAll(async () => {
  context = await startGallerySystem({}, { clock: () => new Date(Date.now() + aheadMs) })
})
afterAll(async () => {
  await context.stop()
})

const pinHashOf = async ({ _id }: Event): Promise<string> => {
  const { body } = await call(context.system.url('events'), getEventCopy, { params: { eventId: _id } })
  return (body as EventCopy).pinHash ?? ''
}
const passFor = async (event: Event, now = new Date()): Promise<string> =>
  issuePass(event._id, await pinHashOf(event), now).pass
const withPass = (pass: string) => ({ [EVENT_PASS_HEADER]: pass })
const look = ({ _id }: Event, headers: Record<string, string> = {}, token?: string) =>
  call(context.url, listGallery, { params: { eventId: _id }, headers, token })

/** Sets the PIN of an event, and waits until the uploads service asks for it. */
const setPin = async (event: Event, pin: string, formerPass?: string): Promise<void> => {
  const { status } = await call(context.system.url('events'), updateEvent, {
    token: context.organiser.token,
    params: { eventId: event._id },
    body: { settings: { pin } },
  })
  expect(status).toBe(200)
  const headers = formerPass ? withPass(formerPass) : {}
  await eventually(async () => (await look(event, headers)).body.code === 'pin_required', 'the PIN')
}

/** What a route takes of these fields. */
const bodyOf = ({ body }: RouteContract, values: Record<string, unknown>) =>
  body && 'shape' in body
    ? Object.fromEntries(Object.entries(values).filter(([name]) => name in (body.shape as object)))
    : undefined

test('When an event has a PIN, then every route that needs a pass refuses guests without one, and those with another', async () => {
  const event = await eventWith(context, { gallery: 'on' })
  const { _id: eventId } = event
  const guest = asGuest(newGuest())
  const uploadId = await sendPhoto(context, event, guest)
  await setPin(event, 'Tulip42')
  const routes = Object.values<RouteContract>({ ...serviceRoutes.uploads, getEvent }).filter(
    ({ needsPass }) => needsPass,
  )
  expect(routes.length).toBeGreaterThan(12)
  const form = uploadForm(eventId, 'Table 4', [await photo()])
  const send = (route: RouteContract, headers: Record<string, string>, token?: string) =>
    call(route === getEvent ? context.system.url('events') : context.url, route, {
      params: { eventId, uploadId },
      query: route.query ? { eventId } : {},
      headers: { ...guest, ...headers },
      token,
      body: route.multipart ? form : bodyOf(route, { eventId, photoCredit: 'A', files: [] }),
    })
  const pinHash = await pinHashOf(event)
  const stranger = await newOrganiser(context.system.url('auth'))
  const attempts: [Record<string, string>, token?: string][] = [
    [{}],
    [{}, stranger.token],
    [{}, 'nonsense'],
    ...['nonsense', '9'.repeat(15), `${Date.now() + 60_000}.${'A'.repeat(43)}`].map(
      (pass): [Record<string, string>] => [withPass(pass)],
    ),
    [withPass(issuePass(eventId, 'a'.repeat(64), new Date()).pass)],
    [withPass(issuePass('f'.repeat(24), pinHash, new Date()).pass)],
    [withPass(await passFor(event, new Date(0)))],
  ]
  for (const [headers, token] of attempts) {
    // At once, as uploads asks the events service about unknown passes only some times a second.
    const answers = await Promise.all(routes.map((route) => send(route, headers, token)))
    for (const [index, { status, body }] of answers.entries())
      expect([routes[index]?.path, headers, status, body]).toEqual([
        routes[index]?.path,
        headers,
        404,
        expect.objectContaining({ code: 'pin_required', details: { name: event.name } }),
      ])
  }
  const pass = await passFor(event)
  for (const route of routes) {
    const { body } = await send(route, withPass(pass))
    expect([route.path, body.code === 'pin_required']).toEqual([route.path, false])
  }
})

test('When an event has a PIN, then admins and its organisers need no pass, and its live wall keeps its key', async () => {
  const event = await eventWith(context, { gallery: 'on' })
  const { system, url, admin, organiser } = context
  const wall = await call(system.url('events'), createWall, {
    token: organiser.token,
    params: { eventId: event._id },
  })
  await setPin(event, 'Tulip42')
  for (const { token } of [admin, organiser]) expect((await look(event, {}, token)).status).toBe(200)
  const headers = { [WALL_KEY_HEADER]: new URL(wall.body.url as string).hash.slice(1) }
  const shown = await call(url, listWall, { params: { eventId: event._id }, headers })
  expect(shown.status).toBe(200)
})

test('When a PIN is set after a guest got a ticket, then its file can be resumed and completed without a pass', async () => {
  const event = await eventWith(context, {})
  const bytes = await uniquePhoto()
  const ticket = await newTicket(context.url, event._id, { name: 'a.jpg', bytes })
  await setPin(event, 'Tulip42')
  const body = { tickets: [ticket.ticket] }
  const resumed = await call(context.url, resumeUploads, { body })
  expect([resumed.status, resumed.body.tickets[0].outcome]).toEqual([200, 'send'])
  await putFile(ticket.transfer, bytes)
  expect((await call(context.url, completeUploads, { body })).body.uploads).toHaveLength(1)
  expect((await uploadsOf(context, event)).map(({ originalName }) => originalName)).toEqual(['a.jpg'])
})

test('When a PIN is set while a form arrives, then its photo is stored', async () => {
  const event = await eventWith(context, {})
  const form = buildUploadForm({ eventId: event._id, credit: 'Ann', name: 'a.jpg' })
  const bytes = await uniquePhoto()
  const periods = context.database.collection<{ _id: string }>('unreadperiods')
  const ofEvent = { _id: { $regex: `^${prefixOf(tagOf(event._id))}` } }
  const parts = async function* () {
    yield form.head
    yield bytes.subarray(0, 1_000)
    // Sent is not yet read: a form that the service reads after the PIN was set needs a pass.
    await eventually(async () => (await periods.countDocuments(ofEvent)) > 0, 'its photo being received')
    await setPin(event, 'Tulip42')
    yield bytes.subarray(1_000)
    yield form.end
  }
  const response = await fetch(new URL(createUploads.path, context.url), {
    method: 'POST',
    headers: { 'content-type': form.contentType },
    body: Readable.from(parts()),
    duplex: 'half',
  })
  expect(response.status).toBe(201)
  expect(await uploadsOf(context, event)).toHaveLength(1)
})

test('When a host sets a PIN while guests send, then what was acknowledged is there, and what has a ticket is completed', async () => {
  const event = await eventWith(context, {})
  const acknowledged: string[] = []
  const send = async (index: number): Promise<number> => {
    if (index % 5 === 0) {
      const body = uploadForm(event._id, 'Ann', [await photo()])
      const { status, body: answer } = await call(context.url, createUploads, { body })
      if (status === 201) acknowledged.push(String(answer.uploads[0]._id))
      return status
    }
    const bytes = await uniquePhoto()
    const files = [{ name: 'a.jpg', size: bytes.length }]
    const { status, body } = await call(context.url, createUploadTickets, {
      body: { eventId: event._id, photoCredit: 'Ann', files },
    })
    if (status !== 201) return status
    const [ticket] = body.tickets as [SendTicket]
    await putFile(ticket.transfer, bytes)
    const completed = await call(context.url, completeUploads, { body: { tickets: [ticket.ticket] } })
    const [upload] = completed.body.uploads as { _id: string }[]
    if (upload) acknowledged.push(upload._id)
    return completed.status
  }
  let isSending = true
  const statuses: number[] = []
  const guests = Array.from({ length: 10 }, async (_, guest) => {
    for (let index = guest; isSending; index += 1) {
      const status = await send(index)
      statuses.push(status)
      if (status !== 201) return
    }
  })
  await eventually(() => acknowledged.length >= 10, 'the first photos')
  await setPin(event, 'Tulip42')
  await eventually(() => statuses.includes(404), 'the first refusal')
  isSending = false
  await Promise.all(guests)
  // A ticket that was given is completed: nothing but what asks for one, or a form, is refused.
  expect(new Set(statuses)).toEqual(new Set([201, 404]))
  const stored = (await uploadsOf(context, event)).map(({ _id }) => _id)
  expect(stored.toSorted()).toEqual([...new Set(acknowledged)].toSorted())
})

test('When a guest opens an own link, then it says which event it is of, and shows nothing without a pass', async () => {
  const event = await eventWith(context, {})
  const guest = asGuest(newGuest())
  await sendPhoto(context, event, guest)
  const link = await call(context.url, createOwnLink, { headers: guest, body: { eventId: event._id } })
  await setPin(event, 'Tulip42')
  const headers = { [GUEST_KEY_HEADER]: new URL(link.body.url as string).hash.slice(1) }
  expect((await call(context.url, getOwnLink, { headers })).body).toEqual({ eventId: event._id })
  const list = async (pass = {}) =>
    call(context.url, listGuestUploads, { query: { eventId: event._id }, headers: { ...headers, ...pass } })
  expect((await list()).body.code).toBe('pin_required')
  expect((await list(withPass(await passFor(event)))).body.uploads).toHaveLength(1)
})

test('When the PIN changes, then passes for the earlier one end, and one for the new one is valid at once', async () => {
  const event = await eventWith(context, { gallery: 'on' })
  await setPin(event, 'Tulip42')
  const [first, hashOfFirst] = [await passFor(event), await pinHashOf(event)]
  expect((await look(event, withPass(first))).status).toBe(200)
  await setPin(event, 'Rose1234', first)
  const second = await passFor(event)
  // As before the message about the change.
  const copies = context.database.collection<{ _id: string }>('events')
  await copies.updateOne({ _id: event._id }, { $set: { pinHash: hashOfFirst }, $inc: { revision: -1 } })
  aheadMs += CACHE_TTL_MS
  expect((await look(event, withPass(second))).status).toBe(200)
  expect((await look(event, withPass(first))).body.code).toBe('pin_required')
})

test('When the session of a member has expired, then a route that needs a pass says so, unless there is one', async () => {
  const event = await eventWith(context, { gallery: 'on' })
  await setPin(event, 'Tulip42')
  const pass = withPass(await passFor(event))
  // The sessions of all other tests end, too.
  aheadMs += 2 * 3_600_000
  for (const { token } of [context.organiser, context.admin]) {
    const { status, body } = await look(event, {}, token)
    expect([status, body.code]).toEqual([401, 'token_expired'])
    expect((await look(event, pass, token)).status).toBe(200)
  }
})
