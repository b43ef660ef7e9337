import { Readable } from 'node:stream'
import { BlobServiceClient } from '@azure/storage-blob'
import {
  createEventArchive,
  createUploadTickets,
  deleteEvent,
  getEventCover,
  listEventUploads,
  listMyEventUploads,
  MB,
  resumeUploads,
  updateEvent,
  type Event,
  type EventSettings,
} from '@confetti/contracts'
import { databaseUrl } from '@confetti/launcher'
import { newMessage, toEnvelope } from '@confetti/messaging'
import {
  call,
  complete,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  newTicket,
  putBlock,
  putFile,
  readCounter,
  recordMessages,
  sendDirect,
  sendFiles,
  startTestSystem,
  uniquePhoto,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import mongoose, { type Connection } from 'mongoose'

let system: TestSystem
let messages: RecordedMessages
let database: Connection
let url: string
let admin: Account
let organiser: Account
let clockAheadMs = 0
const now = () => new Date(Date.now() + clockAheadMs)

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads', 'media'],
    clock: now,
    environment: { uploads: { SWEEP_INTERVAL_MS: '1000' } },
  })
  messages = await recordMessages(system)
  database = await mongoose
    .createConnection(databaseUrl(system.backends.mongo, system.namespace, 'uploads'))
    .asPromise()
  url = system.url('uploads')
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
})

afterAll(async () => {
  await database.close()
  await messages.close()
  await system.stop()
})

const container = () =>
  BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(system.namespace)
const blobsOf = async (ids: readonly string[]): Promise<string[]> => {
  const found: string[] = []
  for await (const { name } of container().listBlobsFlat({ includeUncommitedBlobs: true }))
    if (ids.some((id) => name.includes(id))) found.push(name)
  return found
}
/** The collections of the database in which a text occurs. */
const collectionsWith = async (text: string): Promise<string[]> => {
  const found: string[] = []
  for (const { name } of await database.listCollections()) {
    const documents = await database.collection(name).find().toArray()
    if (JSON.stringify(documents).includes(text)) found.push(name)
  }
  return found
}
const photo = async () => ({ name: 'photo.jpg', bytes: await uniquePhoto() })
const remove = ({ _id }: Event) =>
  call(system.url('events'), deleteEvent, { token: admin.token, params: { eventId: _id } })
const erasuresOf = ({ _id }: Event) =>
  messages.distinct('uploads.erased.v1').filter(({ data }) => data.eventId === _id)
/** How many messages of a queue of uploads have been handled. */
const countHandled = (queue: string): Promise<number> =>
  readCounter(system, 'uploads', 'messaging_handled_total', { queue: `uploads.${queue}`, outcome: 'handled' })
/** Waits until an event has been erased `times` times. An erasure waits for requests in progress, by the clock. */
const waitForErasure = async (event: Event, times = 1): Promise<void> => {
  const isWaiting = (line: string) =>
    line.includes('waiting for requests in progress') && line.includes(event._id)
  await eventually(() => system.log.filter(isWaiting).length >= times, 'the erasure to wait for requests')
  clockAheadMs += 20_000
  await eventually(() => erasuresOf(event).length >= times, 'the erasure')
}

test('When an event is deleted, then nothing of it is left, and another event keeps everything', async () => {
  const event = await newEvent(system.url('events'), admin, organiser)
  const other = await newEvent(system.url('events'), admin, organiser)
  const ids: string[] = []
  const send = async (eventId: string) => {
    const { body } = await sendFiles(url, eventId, [await photo()])
    return (body.uploads as { _id: string }[])[0]?._id ?? ''
  }
  ids.push(await send(event._id), await send(event._id))
  ids.push((await newTicketOf(event)).uploadId)
  const direct = await sendDirect(url, event._id, await photo())
  ids.push((direct.body.uploads as { _id: string }[])[0]?._id ?? '')
  // Sent straight to blob storage, and never completed: a whole file, and a block of a large one.
  const whole = await photo()
  const uncompleted = await newTicket(url, event._id, whole)
  await putFile(uncompleted.transfer, whole.bytes)
  const large = { name: 'large.mp4', bytes: Buffer.alloc(12 * MB, 7) }
  const begun = await newTicket(url, event._id, large)
  if (begun.transfer.kind !== 'blocks') throw new Error('expected blocks')
  await putBlock(begun.transfer, large.bytes, 0)
  ids.push(uncompleted.uploadId, begun.uploadId)
  const kept = await send(other._id)
  const keptWhole = await photo()
  const keptTicket = await newTicket(url, other._id, keptWhole)
  await putFile(keptTicket.transfer, keptWhole.bytes)
  const archive = await eventually(async () => {
    const { status, body } = await call(url, createEventArchive, {
      token: admin.token,
      params: { eventId: event._id },
      body: {},
    })
    return status === 201 && body
  }, 'the archive')

  expect((await remove(event)).status).toBe(200)
  // At once, or as soon as the message has arrived.
  await eventually(
    async () => (await sendFiles(url, event._id, [await photo()])).status === 404,
    'the end of the event',
  )
  for (const token of [admin.token, organiser.token])
    expect(
      (
        await call(url, token === admin.token ? listEventUploads : listMyEventUploads, {
          token,
          params: { eventId: event._id },
        })
      ).status,
    ).toBe(404)
  expect((await complete(url, uncompleted)).body).toMatchObject({
    rejected: [{ code: 'event_not_found' }],
  })
  await waitForErasure(event)
  expect((await fetch(archive.url)).status).toBe(410)
  // Derivatives that were being stored meanwhile are removed after that.
  await eventually(async () => (await blobsOf(ids)).length === 0, 'no blobs')
  expect(await collectionsWith(event._id)).toEqual([])
  expect(await blobsOf([kept])).toContain(`${kept}/original`)
  expect((await complete(url, keptTicket)).status).toBe(201)

  // Messages that arrive late, or twice, restore nothing.
  const late = {
    _id: event._id,
    eventFor: organiser.user._id,
    organisers: [organiser.user._id],
    uploadsCloseAt: '2030-01-01T00:00:00.000Z',
    revision: 7,
  }
  const [changed, created] = [await countHandled('event-changed'), await countHandled('event-created')]
  await messages.publish(toEnvelope(newMessage('event.changed.v1', late), '/services/events'))
  await messages.publish(toEnvelope(newMessage('event.created.v1', late), '/services/events'))
  await eventually(
    async () =>
      (await countHandled('event-changed')) > changed && (await countHandled('event-created')) > created,
    'the late messages being handled',
  )
  expect(await collectionsWith(event._id)).toEqual([])
  await messages.publish(toEnvelope(newMessage('event.deleted.v1', { _id: event._id }), '/services/events'))
  await waitForErasure(event, 2)
  expect(await collectionsWith(event._id)).toEqual([])
})

test('When the deletion of an event is published several times, then it is erased once, and no other event waits for that', async () => {
  const event = await newEvent(system.url('events'), admin, organiser)
  const other = await newEvent(system.url('events'), admin, organiser)
  await sendFiles(url, event._id, [await photo()])
  const handled = await countHandled('event-deleted')
  await remove(event)
  // More than are handled at once. Each has an id of its own, as those that events repeats.
  for (let repeated = 0; repeated < 5; repeated += 1)
    await messages.publish(toEnvelope(newMessage('event.deleted.v1', { _id: event._id }), '/services/events'))
  await remove(other)
  for (const each of [event, other]) await waitForErasure(each)
  await eventually(async () => (await countHandled('event-deleted')) >= handled + 7, 'all deletions')
  expect(erasuresOf(event)).toHaveLength(1)
})

test('When a guest has leased a blob for ever, then the erasure removes it and everything else', async () => {
  const event = await newEvent(system.url('events'), admin, organiser)
  const sent = await sendFiles(url, event._id, [await photo()])
  const { uploadId, transfer } = await newTicket(url, event._id, {
    name: 'large.mp4',
    bytes: Buffer.alloc(12 * MB, 7),
  })
  const put = async (query: string, headers: Record<string, string>) =>
    (await fetch(`${transfer.url}${query}`, { method: 'PUT', headers, body: 'x' })).status
  expect(await put('', { 'x-ms-blob-type': 'BlockBlob' })).toBe(201)
  const forEver = { 'x-ms-lease-action': 'acquire', 'x-ms-lease-duration': '-1' }
  expect(await put('&comp=lease', forEver)).toBe(201)
  await deleteAndWait(event)
  const ids = [uploadId, (sent.body.uploads as { _id: string }[])[0]?._id ?? '']
  await eventually(async () => (await blobsOf(ids)).length === 0, 'no blobs')
})

/** A ticket of which nothing is sent. */
const newTicketOf = async (event: Event) => newTicket(url, event._id, await photo())

const deleteAndWait = async (event: Event): Promise<void> => {
  await remove(event)
  await waitForErasure(event)
}

test('When guests use their links after their event was deleted, then nothing of it stays', async () => {
  const event = await newEvent(system.url('events'), admin, organiser)
  const small = await photo()
  const large = { name: 'large.mp4', bytes: Buffer.alloc(12 * MB, 7) }
  const tickets = [await newTicket(url, event._id, small), await newTicket(url, event._id, large)] as const
  const ids = tickets.map(({ uploadId }) => uploadId)
  const [{ transfer: single }, { transfer: blocks }] = tickets
  if (blocks.kind !== 'blocks') throw new Error('expected blocks')
  await deleteAndWait(event)

  expect(await putFile(single, small.bytes)).toEqual([201])
  expect(await putBlock(blocks, large.bytes, 0)).toBe(201)
  await eventually(async () => (await blobsOf(ids)).length === 0, 'the sweep')

  await putFile(single, small.bytes)
  await putBlock(blocks, large.bytes, 0)
  const refused = { code: 'event_not_found' }
  expect((await complete(url, ...tickets)).body).toMatchObject({ uploads: [], rejected: [refused, refused] })
  // The sweep may be removing one of them, for which it stores an empty blob first.
  await eventually(async () => (await blobsOf(ids)).length === 0, 'no blob')
  const { body } = await call(url, resumeUploads, { body: { tickets: tickets.map(({ ticket }) => ticket) } })
  const rejected = { outcome: 'rejected', ...refused }
  expect(body.tickets).toMatchObject([rejected, rejected])
})

test('When an event is deleted while a large form arrives, then its guest gets 404, and nothing is left', async () => {
  const event = await newEvent(system.url('events'), admin, organiser)
  const namesBefore = new Set(await blobNames())
  const { form, end } = unfinishedForm(event._id, Buffer.concat([await uniquePhoto(), Buffer.alloc(9 * MB)]))
  const reply = fetch(`${url}/api/uploads`, form)
  await eventually(async () => (await blobNames()).some((name) => !namesBefore.has(name)), 'the first block')
  await deleteAndWait(event)
  end()
  const { status } = await reply
  expect(status).toBe(404)
  await eventually(
    async () => (await blobNames()).every((name) => namesBefore.has(name)),
    'the blocks being removed',
  )
})

const blobNames = () => blobsOf([''])

/** A request with an upload form whose last bytes are sent by `end`. */
const unfinishedForm = (eventId: string, bytes: Buffer) => {
  const boundary = 'form-boundary'
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="media"; filename="large.jpg"\r\n\r\n`
  const head = field('eventId', eventId) + field('photoCredit', 'Table 4') + file
  const { promise: isEnded, resolve } = Promise.withResolvers<undefined>()
  const end = () => resolve(undefined)
  const body = async function* () {
    yield Buffer.from(head)
    yield bytes
    await isEnded
    yield Buffer.from(`\r\n--${boundary}--\r\n`)
  }
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
  return {
    form: { method: 'POST', headers, body: Readable.from(body()), duplex: 'half' } as RequestInit,
    end,
  }
}

test('When guests send while their event is deleted, then each gets a clear answer, and nothing is left', async () => {
  const event = await newEvent(system.url('events'), admin, organiser)
  const statuses = new Set<number>()
  const ids: string[] = []
  let isDeleted = false
  const guest = async () => {
    while (!isDeleted) {
      const { status, body } = await sendFiles(url, event._id, [await photo()])
      // A service that is busy says so, and the guest tries again.
      if (status === 503) continue
      statuses.add(status)
      if (status === 201) ids.push((body.uploads as { _id: string }[])[0]?._id ?? '')
      else isDeleted = true
    }
  }
  const guests = Array.from({ length: 8 }, guest)
  await eventually(() => ids.length > 8, 'some uploads')
  await remove(event)
  await Promise.all(guests)
  expect([...statuses].toSorted()).toEqual([201, 404])
  await waitForErasure(event)
  // Derivatives that were being stored meanwhile are removed after that.
  await eventually(async () => (await blobsOf(ids)).length === 0, 'no blobs')
  expect(await collectionsWith(event._id)).toEqual([])
})

const changeSettings = ({ _id: eventId }: Event, settings: EventSettings) =>
  call(system.url('events'), updateEvent, { token: organiser.token, params: { eventId }, body: { settings } })
const send = async ({ _id }: Event) => (await sendFiles(url, _id, [await photo()])).status
/** A ticket of which all bytes have been sent. */
const newSentTicket = async (event: Event) => {
  const file = await photo()
  const ticket = await newTicket(url, event._id, file)
  await putFile(ticket.transfer, file.bytes)
  return ticket
}

test('When an organiser closes an event, then nothing new is acknowledged until it is open again', async () => {
  const event = await newEvent(system.url('events'), admin, organiser)
  const [recorded, sent] = [await newSentTicket(event), await newSentTicket(event)]
  const first = await complete(url, recorded)
  expect(first.status).toBe(201)
  const { form, end } = unfinishedForm(event._id, Buffer.concat([await uniquePhoto(), Buffer.alloc(MB)]))
  const reply = fetch(`${url}/api/uploads`, form)

  await changeSettings(event, { uploads: 'closed' })
  await eventually(async () => (await send(event)) === 410, 'the end of uploads')
  end()
  expect((await reply).status).toBe(410)
  const tickets = await call(url, createUploadTickets, {
    body: { eventId: event._id, photoCredit: 'x', files: [{ name: 'a.jpg', size: 3 }] },
  })
  const resumed = await call(url, resumeUploads, { body: { tickets: [sent.ticket] } })
  for (const { status, body } of [tickets, await complete(url, sent), resumed])
    expect([status, body.code]).toEqual([410, 'event_closed'])
  // What was recorded before is answered as before.
  expect(await complete(url, recorded)).toMatchObject({ status: 201, body: first.body })
  const both = await complete(url, recorded, sent)
  expect(both).toMatchObject({
    status: 201,
    body: {
      uploads: [{ uploadId: recorded.uploadId }],
      rejected: [{ uploadId: sent.uploadId, code: 'event_closed' }],
    },
  })

  await changeSettings(event, { uploads: 'open' })
  await eventually(async () => (await send(event)) === 201, 'the reopening')
  expect((await complete(url, sent)).status).toBe(201)
})

test('When the closing time comes, then a ticket that was issued before can still be completed', async () => {
  const event = await newEvent(system.url('events'), admin, organiser)
  const sent = await newSentTicket(event)
  await changeSettings(event, { uploadsCloseAt: now().toISOString() })
  await eventually(async () => (await send(event)) === 410, 'the end of uploads')
  expect((await complete(url, sent)).status).toBe(201)
})

test('When an event has a cover, then guests get a link to its preview', async () => {
  const event = await newEvent(system.url('events'), admin, organiser)
  const cover = () => call(url, getEventCover, { params: { eventId: event._id } })
  expect((await cover()).body).toMatchObject({ code: 'no_cover' })
  const { body } = await sendFiles(url, event._id, [await photo()])
  const uploadId = (body.uploads as { _id: string }[])[0]?._id ?? ''
  await call(system.url('events'), updateEvent, {
    token: organiser.token,
    params: { eventId: event._id },
    body: { settings: { cover: uploadId } },
  })
  const reply = await eventually(async () => {
    const found = await cover()
    return found.status === 200 && found
  }, 'the cover')
  const image = await fetch(reply.body.url as string)
  expect(image.headers.get('content-type')).toBe('image/webp')
  expect((await call(url, getEventCover, { params: { eventId: 'nonsense' } })).status).toBe(404)
})
