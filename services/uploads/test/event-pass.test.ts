import {
  createEventPass,
  EVENT_PASS_HEADER,
  followEvent,
  getEvent,
  getEventCopy,
  getEventPin,
  listGallery,
  publicRoutes,
  serviceRoutes,
  type EventCopy,
  type RouteContract,
} from '@confetti/contracts'
import { issuePass } from '@confetti/service-kit'
import { call, uploadForm } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  asGuest,
  changeSettings,
  eventWith,
  newGuest,
  photo,
  sendPhoto,
  startGallerySystem,
  type GallerySystem,
} from './gallery-event.ts'

const PIN = 'Tulip42'
let context: GallerySystem

beforeAll(async () => {
  context = await startGallerySystem()
})
afterAll(async () => {
  await context.stop()
})

const isForGuests = ({ access }: RouteContract): boolean => access.startsWith('guest')
/** The routes for guests that need no pass: the one that gives it, and the stream of members and walls. */
const exempt: readonly RouteContract[] = [createEventPass, followEvent]

test('When a route is for guests, then its contract says that it needs a pass', () => {
  const forgotten = Object.values<RouteContract>(publicRoutes).filter(
    (route) => isForGuests(route) && !route.needsPass && !exempt.includes(route),
  )
  expect(forgotten.map(({ path }) => path)).toEqual([])
})

const pinKeyOf = async (eventId: string): Promise<string> => {
  const { body } = await call(context.system.url('events'), getEventCopy, { params: { eventId } })
  return (body as EventCopy).pinKey ?? ''
}

test('When an event has a PIN, then every route that needs a pass answers pin_required without one, and members need none', async () => {
  const event = await eventWith(context, { gallery: 'on' })
  const guest = asGuest(newGuest())
  const uploadId = await sendPhoto(context, event, guest)
  await changeSettings(context, event, { gallery: 'on' })
  const { system, organiser } = context
  await setPin(event, PIN)
  const eventId = event._id
  const routes = Object.values<RouteContract>({ ...serviceRoutes.uploads, getEvent }).filter(
    ({ needsPass }) => needsPass,
  )
  expect(routes.length).toBeGreaterThan(9)
  const wrongPasses = [
    undefined,
    'nonsense',
    issuePass(eventId, 'x'.repeat(43), new Date()).pass,
    issuePass(eventId, await pinKeyOf(eventId), new Date(0)).pass,
  ]
  const form = await photo()
  for (const pass of wrongPasses)
    for (const route of routes) {
      const url = route === getEvent ? system.url('events') : context.url
      const answer = await call(url, route, {
        params: { eventId, uploadId },
        query: route.query ? { eventId } : {},
        headers: { ...guest, ...(pass && { [EVENT_PASS_HEADER]: pass }) },
        ...(route.multipart && { body: uploadForm(eventId, 'Table 4', [form]) }),
        ...(route.body &&
          !route.multipart && {
            body: { eventId, photoCredit: 'A', ...(route.path.endsWith('tickets') && { files: [] }) },
          }),
      })
      expect([route.path, answer.status, answer.body.code]).toEqual([route.path, 404, 'pin_required'])
      expect(answer.body.details).toEqual({ name: event.name })
    }
  const seen = await call(context.url, listGallery, { params: { eventId }, token: organiser.token })
  expect(seen.status).toBe(200)
})

const setPin = async ({ _id }: { _id: string }, pin: string): Promise<void> => {
  const { system, organiser, database } = context
  const { updateEvent } = serviceRoutes.events
  const params = { eventId: _id }
  const { status } = await call(system.url('events'), updateEvent, {
    token: organiser.token,
    params,
    body: { settings: { pin } },
  })
  expect(status).toBe(200)
  const pinKey = await pinKeyOf(_id)
  const { eventually } = await import('@confetti/test-kit')
  const copies = database.collection<{ _id: string }>('events')
  await eventually(async () => (await copies.findOne({ _id, pinKey })) !== null, 'the copy')
  // Longer than a replica uses an old copy.
  await new Promise((resolve) => setTimeout(resolve, 4_500))
}

test('When the PIN changes, then passes for the earlier one end, and no message tells a PIN', async () => {
  const event = await eventWith(context, { gallery: 'on' })
  const look = async (pass: string) =>
    (
      await call(context.url, listGallery, {
        params: { eventId: event._id },
        headers: { [EVENT_PASS_HEADER]: pass },
      })
    ).status
  await setPin(event, PIN)
  const first = issuePass(event._id, await pinKeyOf(event._id), new Date()).pass
  expect(await look(first)).toBe(200)
  await setPin(event, 'Rose1234')
  expect(await look(first)).toBe(404)
  const second = issuePass(event._id, await pinKeyOf(event._id), new Date()).pass
  expect(await look(second)).toBe(200)
  const { body } = await call(context.system.url('events'), getEventPin, { params: { eventId: event._id } })
  expect(body).toMatchObject({ pin: 'Rose1234', pinInLinks: 'on' })
  const published = JSON.stringify(context.messages.all)
  for (const pin of [PIN, 'Rose1234']) expect(published).not.toContain(pin)
})
