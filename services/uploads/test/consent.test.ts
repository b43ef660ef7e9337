import {
  createUploads,
  createUploadTickets,
  deleteUpload,
  downloadEventConsents,
  downloadMyEventConsents,
  getEvent,
  listMyEventUploads,
  publicRoutes,
  updateEvent,
  buildPath,
  type Event,
  type GuestEvent,
  type RouteContract,
  type Upload,
} from '@confetti/contracts'
import {
  call,
  complete,
  eventually,
  newEvent,
  newTicket,
  putFile,
  uniquePhoto,
  uploadForm,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startGallerySystem, type GallerySystem } from './gallery-event.ts'

const consent = { text: 'You may show my photos.', url: 'https://example.org/terms' }

let context: GallerySystem
beforeAll(async () => {
  context = await startGallerySystem()
})
afterAll(() => context.stop())

const copies = () => context.database.collection<{ _id: string }>('events')
const lookAsGuest = async ({ _id }: Event): Promise<GuestEvent> =>
  (await call(context.system.url('events'), getEvent, { params: { eventId: _id } })).body.event as GuestEvent
/** Sets what guests agree to, and returns its version. Waits for the copy of uploads unless `isKnown` is false. */
const setConsent = async (event: Event, value: typeof consent | null, isKnown = true) => {
  const { status } = await call(context.system.url('events'), updateEvent, {
    token: context.organiser.token,
    params: { eventId: event._id },
    body: { settings: { consent: value } },
  })
  expect(status).toBe(200)
  const version = (await lookAsGuest(event)).consent?.version
  if (isKnown)
    await eventually(
      async () =>
        ((await copies().findOne({ _id: event._id })) as { consentVersion?: string } | null)
          ?.consentVersion === version,
      'the copy of the event',
    )
  return version
}
const newEventOf = async (): Promise<Event> =>
  newEvent(context.system.url('events'), context.admin, context.organiser)
const newEventWithConsent = async () => {
  const event = await newEventOf()
  return { event, version: (await setConsent(event, consent)) ?? '' }
}

const askForTicket = async (event: Event, consentVersion?: string) => {
  const files = [{ name: 'a.jpg', size: 3 }]
  const { status, body } = await call(context.url, createUploadTickets, {
    body: { eventId: event._id, photoCredit: 'Ann', consentVersion, files },
  })
  return [status, body.code]
}
const sendForm = async (event: Event, consentVersion?: string, name = 'photo.jpg') => {
  const form = new FormData()
  if (consentVersion) form.set('consentVersion', consentVersion)
  for (const [field, value] of uploadForm(event._id, 'Ann', [{ name, bytes: await uniquePhoto() }]))
    form.append(field, value)
  const { status, body } = await call(context.url, createUploads, { body: form })
  return [status, body.code]
}
const list = async (event: Event): Promise<Upload[]> => {
  const { body } = await call(context.url, listMyEventUploads, {
    token: context.organiser.token,
    params: { eventId: event._id },
  })
  return body.uploads as Upload[]
}

/** Each call by which a guest changes something: whether it stores something new, and so needs consent. */
const guestChanges: Record<
  string,
  'needs consent' | 'what was accepted with consent' | 'of another service'
> = {
  createUploads: 'needs consent',
  createUploadTickets: 'needs consent',
  completeUploads: 'what was accepted with consent',
  resumeUploads: 'what was accepted with consent',
  renameGuestUploads: 'what was accepted with consent',
  deleteGuestUpload: 'what was accepted with consent',
  restoreGuestUpload: 'what was accepted with consent',
  reportUpload: 'what was accepted with consent',
  createGalleryArchive: 'what was accepted with consent',
  createOwnLink: 'what was accepted with consent',
  endOwnLink: 'what was accepted with consent',
}
/** The calls of the uploads service that a guest can make without an account, and that change something. */
const isGuestChange = ([, { method, access, path }]: [string, RouteContract]): boolean =>
  method !== 'get' &&
  (access === 'anyone' || access.startsWith('guest')) &&
  (path.startsWith('/api/uploads') || path.startsWith('/api/guest') || path.includes('/gallery'))

test('When a route lets guests change something of an event, then it is known whether it needs consent', () => {
  const ids = Object.entries<RouteContract>(publicRoutes)
    .filter(isGuestChange)
    .map(([id]) => id)
  expect(ids.sort()).toEqual(Object.keys(guestChanges).sort())
})

test('When a guest has not agreed to what the event says now, then tickets and forms are refused', async () => {
  const { event, version } = await newEventWithConsent()
  for (const sent of [undefined, 'other'])
    for (const send of [askForTicket, sendForm])
      expect(await send(event, sent)).toEqual([400, 'consent_required'])
  expect(await list(event)).toEqual([])
  expect(await askForTicket(event, version)).toEqual([201, undefined])
})

test('When a form says after its files what the guest agrees to, then it is refused before they are read', async () => {
  const { event, version } = await newEventWithConsent()
  const form = uploadForm(event._id, 'Ann', [{ name: 'a.jpg', bytes: await uniquePhoto() }])
  form.append('consentVersion', version)
  expect((await call(context.url, createUploads, { body: form })).body.code).toBe('consent_required')
})

test('When a guest agrees, then version and time are stored with each upload, and managers see them', async () => {
  const { event, version } = await newEventWithConsent()
  const before = new Date().toISOString()
  expect(await sendForm(event, version)).toEqual([201, undefined])
  const file = { name: 'b.jpg', bytes: await uniquePhoto() }
  const ticket = await newTicket(context.url, event._id, file, { consentVersion: version })
  await putFile(ticket.transfer, file.bytes)
  expect((await complete(context.url, ticket)).status).toBe(201)
  const uploads = await list(event)
  expect(uploads.map((upload) => upload.consent?.version)).toEqual([version, version])
  for (const upload of uploads) {
    expect(String(upload.consent?.at) >= before).toBe(true)
    expect(String(upload.consent?.at) <= new Date().toISOString()).toBe(true)
  }
})

test('When what guests agree to changes, then earlier tickets are completed, and new ones need the new version', async () => {
  const { event, version } = await newEventWithConsent()
  const file = { name: 'b.jpg', bytes: await uniquePhoto() }
  const ticket = await newTicket(context.url, event._id, file, { consentVersion: version })
  const next = await setConsent(event, { ...consent, text: 'You may print my photos.' })
  expect(next).not.toBe(version)
  await putFile(ticket.transfer, file.bytes)
  expect((await complete(context.url, ticket)).status).toBe(201)
  expect((await list(event)).map((upload) => upload.consent?.version)).toEqual([version])
  expect(await askForTicket(event, version)).toEqual([400, 'consent_required'])
  expect(await askForTicket(event, next)).toEqual([201, undefined])
  expect(await setConsent(event, consent)).toBe(version)
})

test('When the copy of the event is older than what a guest has read, then the guest is believed', async () => {
  const { event, version } = await newEventWithConsent()
  const next = await setConsent(event, { ...consent, text: 'You may print my photos.' })
  // As before the message about the change.
  await copies().updateOne({ _id: event._id }, { $set: { consentVersion: version }, $inc: { revision: -1 } })
  expect(await askForTicket(event, next)).toEqual([201, undefined])
  await eventually(
    async () => (await askForTicket(event, version))[0] === 400,
    'the earlier version to be refused',
  )
})

test('When an event asks for nothing, or an earlier version has copied it, then nothing is needed', async () => {
  const event = await newEventOf()
  expect(await lookAsGuest(event)).not.toHaveProperty('consent')
  expect(await askForTicket(event)).toEqual([201, undefined])
  expect(await sendForm(event, 'of an earlier text')).toEqual([201, undefined])
  expect((await list(event))[0]).not.toHaveProperty('consent')
  expect(await setConsent(event, consent)).toBeDefined()
  expect(await setConsent(event, null)).toBeUndefined()
  expect(await sendForm(event)).toEqual([201, undefined])
})

test('When a manager downloads what guests agreed to, then it is a CSV without formulas, and deleted uploads are not in it', async () => {
  const { event, version } = await newEventWithConsent()
  for (const name of ['=1+1.jpg', 'b.jpg']) await sendForm(event, version, name)
  const uploads = await list(event)
  const download = async (contract: RouteContract, token: string, method = 'GET') =>
    fetch(new URL(buildPath(contract, { eventId: event._id }), context.url), {
      method,
      headers: { Authorization: `Bearer ${token}` },
    })
  const response = await download(downloadMyEventConsents, context.organiser.token)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = (await response.text()).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines.join('\n')).toContain(`"Ann","'=1+1.jpg"`)
  for (const { _id, consent: given } of uploads)
    expect(lines.find((line) => line.startsWith(`"${_id}"`))).toContain(`"${version}","${given?.at ?? ''}"`)

  expect((await download(downloadEventConsents, context.admin.token, 'HEAD')).status).toBe(200)
  await call(context.url, deleteUpload, {
    token: context.admin.token,
    params: { uploadId: uploads[0]?._id ?? '' },
  })
  const after = await (await download(downloadEventConsents, context.admin.token)).text()
  expect(after).not.toContain(uploads[0]?._id)
  expect(after).toContain(uploads[1]?._id)
})
