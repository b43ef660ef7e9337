import {
  updateEvent,
  createUploadTickets,
  deleteUpload,
  getEvent,
  listEventUploads,
  MB,
  type Event,
  type GuestEvent,
  type NewTicket,
} from '@confetti/contracts'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  readSample,
  sendDirect,
  sendFiles,
  startTestSystem,
  uniquePhoto,
  type Account,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

let system: TestSystem
let url: string
let admin: Account
let organiser: Account

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    environment: { uploads: { GUEST_FILES_PER_DAY: '4', GUEST_MB_PER_DAY: '30' } },
  })
  url = system.url('uploads')
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
})

afterAll(() => system.stop())

/** An event with these limits, which the uploads service knows. */
const limitedEvent = async (settings: { maxFiles?: number; maxBytes?: number }): Promise<Event> => {
  const event = await newEvent(system.url('events'), admin, organiser)
  const params = { eventId: event._id }
  const { status } = await call(system.url('events'), updateEvent, {
    token: admin.token,
    params,
    body: { settings },
  })
  expect(status).toBe(200)
  // More than any of these limits allows: refused as soon as the change has arrived.
  await eventually(async () => {
    const { body } = await call(url, createUploadTickets, {
      body: { eventId: event._id, photoCredit: 'x', files: ticketFiles(6, 200 * MB) },
    })
    return (body.tickets as NewTicket[]).some(({ outcome }) => outcome === 'rejected')
  }, 'the change of the event')
  return event
}
const ticketFiles = (count: number, size: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}.jpg`, size }))

const photo = async (name = 'photo.jpg') => ({ name, bytes: await uniquePhoto() })
const full = 'This event has no room for more photos and videos.'

test('When an event has all its files, then the next is refused with a form and directly, and a repeated one is not', async () => {
  const event = await limitedEvent({ maxFiles: 2 })
  const first = await photo()
  expect((await sendFiles(url, event._id, [first])).status).toBe(201)
  const ticket = await call(url, createUploadTickets, {
    body: { eventId: event._id, photoCredit: 'Table 4', files: ticketFiles(2, 1_000) },
  })
  expect(ticket.body.tickets).toMatchObject([
    { outcome: 'send' },
    { outcome: 'rejected', code: 'quota_exceeded', message: full },
  ])
  const sent = await sendDirect(url, event._id, await photo())
  const { status, body } = await sendFiles(url, event._id, [await photo()])
  expect([status, body.code, body.message]).toEqual([413, 'quota_exceeded', full])
  const again = await sendFiles(url, event._id, [first])
  expect([again.status, again.body.uploads]).toMatchObject([201, [{ duplicate: true }]])

  // Quota that is free again is found within seconds.
  const uploadId = (sent.body.uploads as { _id: string }[])[0]?._id ?? ''
  await call(url, deleteUpload, { token: admin.token, params: { uploadId } })
  await eventually(
    async () => (await sendFiles(url, event._id, [await photo()])).status === 201,
    'the quota of the deleted file',
  )
})

test('When many send at the same time, then the event never has more than it may have, and what is left is found', async () => {
  const event = await limitedEvent({ maxFiles: 5 })
  const send = async () => (await sendFiles(url, event._id, [await photo()])).status
  const statuses = await Promise.all(Array.from({ length: 12 }, send))
  expect(new Set(statuses)).toEqual(new Set([201, 413]))
  // A file that is stored while the database counts is counted twice until the next count.
  const isStored = (status: number) => status === 201
  while (statuses.filter(isStored).length < 5)
    statuses.push(await eventually(async () => ((await send()) === 201 ? 201 : false), 'the rest'))
  const { body } = await call(url, listEventUploads, {
    token: admin.token,
    params: { eventId: event._id },
  })
  expect(body.uploads).toHaveLength(5)
  expect(await send()).toBe(413)
})

test('When another replica has taken files, then the event has at most one more than it may have', async () => {
  const own = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    replicas: { uploads: 2 },
  })
  try {
    const ownAdmin = await newAdmin(own, own.url('auth'))
    const event = await newEvent(own.url('events'), ownAdmin, await newOrganiser(own.url('auth')))
    const input = { token: ownAdmin.token, params: { eventId: event._id } }
    await call(own.url('events'), updateEvent, { ...input, body: { settings: { maxFiles: 20 } } })
    const urls = own.replicas('uploads').map((replica) => replica.url)
    for (const each of urls)
      await eventually(async () => {
        const { body } = await call(each, createUploadTickets, {
          body: { eventId: event._id, photoCredit: 'x', files: ticketFiles(21, 1_000) },
        })
        return (body.tickets as NewTicket[]).some(({ outcome }) => outcome === 'rejected')
      }, 'the change of the event')
    const [one = '', other = ''] = urls
    const send = async (to: string) => (await sendFiles(to, event._id, [await photo()])).status
    for (let sent = 0; sent < 10; sent += 1) expect(await send(one)).toBe(201)
    // It has counted before, and counts again after a twentieth of what was left then.
    while ((await send(other)) === 201);
    const { body } = await call(own.url('uploads'), listEventUploads, input)
    expect((body.uploads as unknown[]).length).toBeLessThanOrEqual(21)
  } finally {
    await own.stop()
  }
})

test('When a file is larger than what is left of the quota, then it alone is refused', async () => {
  const small = await photo('small.jpg')
  const event = await limitedEvent({ maxBytes: small.bytes.length * 2 })
  const large = { name: 'large.jpg', bytes: Buffer.concat([await uniquePhoto(), Buffer.alloc(4 * MB)]) }
  const { status, body } = await sendFiles(url, event._id, [large, small])
  expect(status).toBe(201)
  expect(body.uploads).toMatchObject([{ originalName: 'small.jpg' }])
  expect(body.rejected).toMatchObject([{ originalName: 'large.jpg', code: 'quota_exceeded' }])
})

test('When an event is full, then guests learn it before they choose, until a file is deleted', async () => {
  const event = await limitedEvent({ maxFiles: 2 })
  const remainingBytes = async () => {
    const { body } = await call(system.url('events'), getEvent, { params: { eventId: event._id } })
    return (body as GuestEvent).limits.remainingBytes
  }
  const send = async () => sendFiles(url, event._id, [await photo()])
  const { body } = await send()
  expect((await send()).status).toBe(201)
  await eventually(async () => (await remainingBytes()) === 0, 'the event to be full')

  const uploadId = (body.uploads as { _id: string }[])[0]?._id ?? ''
  await call(url, deleteUpload, { token: admin.token, params: { uploadId } })
  await eventually(async () => (await remainingBytes()) === undefined, 'the quota of the deleted file')
  await eventually(async () => (await send()).status === 201, 'the next file')
  await eventually(async () => (await remainingBytes()) === 0, 'the event to be full again')
})

test('When guests send, then the event shows how many bytes it still accepts', async () => {
  const small = await photo()
  const maxBytes = Math.ceil(small.bytes.length * 1.2)
  const event = await limitedEvent({ maxBytes })
  expect((await sendFiles(url, event._id, [small])).status).toBe(201)
  await eventually(async () => {
    await sendFiles(url, event._id, [await photo()])
    const { body } = await call(system.url('events'), getEvent, { params: { eventId: event._id } })
    return (body as GuestEvent).limits.remainingBytes === maxBytes - small.bytes.length
  }, 'the count')
})

test('When a guest has sent all of a day, then that guest is refused, and others are not', async () => {
  const event = await newEvent(system.url('events'), admin, organiser)
  const send = async (guestId: string, bytes?: Buffer<ArrayBuffer>) => {
    const form = new FormData()
    form.set('eventId', event._id)
    form.set('photoCredit', 'Table 4')
    form.append('media', new File([bytes ?? (await uniquePhoto())], 'photo.jpg'))
    const response = await fetch(`${url}/api/uploads`, {
      method: 'POST',
      headers: { 'X-Guest-Id': guestId },
      body: form,
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const same = Buffer.from(await readSample('camera-gps.jpg'))
  // A duplicate does not count.
  for (const bytes of [same, same, undefined, undefined, undefined])
    expect((await send('anna', bytes)).status).toBe(201)
  const { status, body } = await send('anna')
  expect([status, body.code, body.message]).toEqual([
    413,
    'quota_exceeded',
    'That is as much as one guest can send in a day. Please send the rest tomorrow.',
  ])
  expect((await send('anna', same)).status).toBe(201)
  expect((await send('ben')).status).toBe(201)

  const outcomesFor = async (guestId: string) => {
    const response = await fetch(`${url}${createUploadTickets.path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Guest-Id': guestId },
      body: JSON.stringify({ eventId: event._id, photoCredit: 'x', files: ticketFiles(4, 1_000) }),
    })
    const { tickets } = (await response.json()) as { tickets: NewTicket[] }
    return tickets.map((ticket) => (ticket.outcome === 'rejected' ? ticket.code : ticket.outcome))
  }
  // Before anything is sent.
  expect(await outcomesFor('anna')).toEqual(Array(4).fill('quota_exceeded'))
  expect(await outcomesFor('ben')).toEqual(['send', 'send', 'send', 'quota_exceeded'])
})
