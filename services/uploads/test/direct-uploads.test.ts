import { randomBytes } from 'node:crypto'
import { mock } from 'node:test'
import { BlobClient, BlobServiceClient } from '@azure/storage-blob'
import { newUploadId } from '@confetti/blob-storage'
import {
  DECODER_VERSION,
  blobNames,
  createUploadTickets,
  deleteUpload,
  listEventUploads,
  MB,
  resumeUploads,
  type BlockTransfer,
  type Event,
  type Upload,
} from '@confetti/contracts'
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
  readSample,
  recordMessages,
  sampleNames,
  sendDirect,
  sendFiles,
  sha256Of,
  startTestSystem,
  uniquePhoto,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Registry } from 'prom-client'
import { BLOCK_BYTES, blocksOf } from '../src/sending/tickets.ts'
import { createBlobAccount } from '../src/storage/blob-account.ts'
import { createDirectBlobs } from '../src/storage/direct-blobs.ts'
import { createLinkSigner } from '../src/storage/link-signer.ts'

const MAX_FILE_BYTES = 300 * MB

let system: TestSystem
let messages: RecordedMessages
let url: string
let admin: Account
let organiser: Account
let event: Event

beforeAll(async () => {
  system = await startTestSystem({
    // Without the media worker: a declared hash stays unverified.
    services: ['auth', 'events', 'uploads'],
    environment: { uploads: { MAX_FILE_BYTES: String(MAX_FILE_BYTES) } },
  })
  messages = await recordMessages(system)
  url = system.url('uploads')
  admin = await newAdmin(system, system.url('auth'))
  organiser = await newOrganiser(system.url('auth'))
  event = await newEvent(system.url('events'), admin, organiser)
})

afterAll(async () => {
  await messages.close()
  await system.stop()
})

const listed = async (eventId = event._id): Promise<Upload[]> => {
  const { body } = await call(url, listEventUploads, { token: admin.token, params: { eventId } })
  return body.uploads as Upload[]
}
const findListed = async (id: string): Promise<Upload | undefined> =>
  (await listed()).find(({ _id }) => _id === id)

const readOriginal = async (id: string): Promise<Response> => fetch((await findListed(id))?.url ?? '')
const readBytes = async (id: string): Promise<Buffer> =>
  Buffer.from(await (await readOriginal(id)).arrayBuffer())

const container = () =>
  BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(system.namespace)

/** A photo with `size` bytes. */
const largePhoto = async (size: number): Promise<Buffer<ArrayBuffer>> => {
  const photo = await uniquePhoto()
  return Buffer.concat([photo, Buffer.alloc(size - photo.length - 16), randomBytes(16)])
}

test.each(sampleNames)(
  'When %s is sent straight to blob storage, then its bytes are stored and a message is published',
  async (name) => {
    const bytes = await readSample(name)
    const { status, body } = await sendDirect(url, event._id, { name, bytes })
    expect(status).toBe(201)
    const { uploadId } = body.uploads[0]
    expect(body).toEqual({
      message: 'Media uploaded successfully.',
      uploads: [
        {
          _id: uploadId,
          uploadId,
          originalName: name,
          contentType: body.uploads[0].contentType,
          size: bytes.length,
          sha256: sha256Of(bytes),
          duplicate: false,
        },
      ],
      rejected: [],
    })
    expect((await readBytes(uploadId)).equals(bytes)).toBe(true)
    const original = await readOriginal(uploadId)
    expect(original.headers.get('content-type')).toBe(body.uploads[0].contentType)
    expect(original.headers.get('content-disposition')).toContain('attachment')
    await eventually(() =>
      messages.ofType('upload.completed.v1').find(({ data }) => data.uploadId === uploadId),
    )
  },
)

test.each([
  ['8 MiB', 8 * MB, 'single', 1],
  ['one byte more than 8 MiB', 8 * MB + 1, 'blocks', 3],
])('When a file of %s is sent, then its bytes are stored', async (_, size, kind, parts) => {
  const bytes = await largePhoto(size)
  const ticket = await newTicket(url, event._id, { name: 'large.jpg', bytes })
  expect(ticket.transfer.kind).toBe(kind)
  const statuses = await putFile(ticket.transfer, bytes)
  expect(statuses).toEqual(Array(parts).fill(201))
  const { body } = await complete(url, ticket)
  expect(body.rejected).toEqual([])
  expect(sha256Of(await readBytes(ticket.uploadId))).toBe(sha256Of(bytes))
  const staged = container().getBlobClient(blobNames.staging(ticket.uploadId))
  await eventually(async () => !(await staged.exists()), 'the staged blocks having been removed')
})

test('When a file is larger than blob storage copies at once, then it is copied in the background', async () => {
  const service = BlobServiceClient.fromConnectionString(system.backends.blob)
  const clock = () => new Date()
  const newCallDeadline = () => ({ abortSignal: AbortSignal.timeout(60_000) })
  const account = createBlobAccount({
    service,
    containerName: system.namespace,
    publicUrl: undefined,
    linkSigner: await createLinkSigner(service, {
      clock,
      newCallDeadline,
      metrics: new Registry(),
    }),
    newCallDeadline,
  })
  const { assemble } = createDirectBlobs(account, clock, 8 * MB)
  const bytes = randomBytes(9 * MB)
  const uploadId = newUploadId(event._id, clock())
  const blocks = blocksOf({ size: bytes.length }) ?? []
  const staged = container().getBlockBlobClient(blobNames.staging(uploadId))
  for (const [index, { id, size }] of blocks.entries())
    await staged.stageBlock(id, bytes.subarray(index * BLOCK_BYTES, index * BLOCK_BYTES + size), size)

  const syncCopy = mock.method(BlobClient.prototype, 'syncCopyFromURL')
  expect(await assemble(uploadId, blocks)).toBe(true)
  expect(syncCopy.mock.callCount()).toBe(0)
  syncCopy.mock.restore()
  const original = await container().getBlobClient(blobNames.original(uploadId)).downloadToBuffer()
  expect(original.equals(bytes)).toBe(true)
})

test('When tickets are issued, then nothing is written, and each file that cannot be sent has a reason', async () => {
  const party = await newEvent(system.url('events'), admin, organiser)
  const { status, body } = await call(url, createUploadTickets, {
    body: {
      eventId: party._id,
      photoCredit: ' Table 4 ',
      files: [
        { name: 'a.jpg', size: 10 },
        { name: 'empty.jpg', size: 0 },
        { name: 'huge.mp4', size: MAX_FILE_BYTES + 1 },
      ],
    },
  })
  expect(status).toBe(201)
  expect(body.tickets).toEqual([
    expect.objectContaining({ outcome: 'send' }),
    { outcome: 'rejected', code: 'empty_file', message: 'The file is empty.' },
    { outcome: 'rejected', code: 'too_large', message: 'The file is larger than 300 MB.' },
  ])
  const life = Date.parse(body.tickets[0].expiresAt) - Date.now()
  expect(life).toBeGreaterThan(0)
  expect(life).toBeLessThanOrEqual(3_600_000)
  expect(await listed(party._id)).toEqual([])
  const names = container().listBlobsFlat({ prefix: body.tickets[0].uploadId, includeUncommitedBlobs: true })
  for await (const { name } of names) throw new Error(`A blob was written: ${name}`)
})

test.each([
  ['no event', { eventId: '' }, 400, 'event_id_missing'],
  ['an unknown event', { eventId: 'b'.repeat(24) }, 404, 'event_not_found'],
  ['a malformed event', { eventId: 'nonsense' }, 404, 'event_not_found'],
  ['no credit', { photoCredit: ' ' }, 400, 'credit_missing'],
  ['a long credit', { photoCredit: 'x'.repeat(81) }, 400, 'invalid'],
  ['no files', { files: [] }, 400, 'no_files'],
  ['101 files', { files: Array(101).fill({ name: 'a.jpg', size: 1 }) }, 400, 'invalid'],
  ['a hash that is none', { files: [{ name: 'a.jpg', size: 1, sha256: 'x' }] }, 400, 'invalid'],
])('When tickets are asked for with %s, then the request is rejected', async (_, input, status, code) => {
  const response = await call(url, createUploadTickets, {
    body: { eventId: event._id, photoCredit: 'Table 4', files: [{ name: 'a.jpg', size: 1 }], ...input },
  })
  expect([response.status, response.body.code]).toEqual([status, code])
})

test('When the event is closed, then no tickets are issued', async () => {
  const past = await newEvent(system.url('events'), admin, organiser, { startsIn: -60, endsIn: -50 })
  const { status } = await call(url, createUploadTickets, {
    body: { eventId: past._id, photoCredit: 'Table 4', files: [{ name: 'a.jpg', size: 1 }] },
  })
  expect(status).toBe(410)
})

test.each([
  ['a photo', MB],
  ['a file in blocks', 9 * MB],
])(
  'When %s has been acknowledged, then its links cannot change it, also after it was completed again',
  async (_, size) => {
    const bytes = await largePhoto(size)
    const other = await largePhoto(size)
    const ticket = await newTicket(url, event._id, { name: 'mine.jpg', bytes })
    await putFile(ticket.transfer, bytes)
    const first = await complete(url, ticket)
    // Blocks can still be staged, but never get to the original.
    const statuses = await putFile(ticket.transfer, other)
    if (ticket.transfer.kind === 'single') expect(statuses[0]).toBeGreaterThanOrEqual(400)
    expect(await complete(url, ticket)).toMatchObject({ status: 201, body: first.body })
    for (const method of ['DELETE', 'GET'])
      expect((await fetch(ticket.transfer.url, { method })).status).toBe(403)
    for (const operation of ['metadata', 'properties', 'tags', 'snapshot', 'lease']) {
      const { status } = await fetch(`${ticket.transfer.url}&comp=${operation}`, {
        method: 'PUT',
        headers: { 'x-ms-meta-a': 'b', 'x-ms-lease-action': 'acquire', 'x-ms-lease-duration': '-1' },
      })
      if (operation !== 'snapshot' && ticket.transfer.kind === 'single') expect(status).toBe(403)
    }
    expect((await readBytes(ticket.uploadId)).equals(bytes)).toBe(true)
    expect((await listed()).filter(({ sha256 }) => sha256 === sha256Of(bytes))).toHaveLength(1)
  },
)

test('When a completion is sent many times at once, then all answers are the same and one upload exists', async () => {
  const bytes = await largePhoto(9 * MB)
  const ticket = await newTicket(url, event._id, { name: 'mine.jpg', bytes })
  await putFile(ticket.transfer, bytes)
  const answers = await Promise.all(Array.from({ length: 8 }, () => complete(url, ticket)))
  for (const { status, body } of answers) {
    expect(status).toBe(201)
    expect(body).toEqual(answers[0]?.body)
  }
  expect(answers[0]?.body.uploads).toHaveLength(1)
  expect((await listed()).filter(({ sha256 }) => sha256 === sha256Of(bytes))).toHaveLength(1)
})

test('When 60 files are completed in one call, then all are stored, those with the same name under different ones', async () => {
  const party = await newEvent(system.url('events'), admin, organiser)
  const files = await Promise.all(
    Array.from({ length: 60 }, async () => ({ name: 'image.jpg', bytes: await uniquePhoto() })),
  )
  const { body } = await call(url, createUploadTickets, {
    body: {
      eventId: party._id,
      photoCredit: 'Table 4',
      files: files.map(({ name, bytes }) => ({ name, size: bytes.length, sha256: sha256Of(bytes) })),
    },
  })
  for (const [index, { transfer }] of body.tickets.entries())
    await putFile(transfer, files[index]?.bytes ?? new Uint8Array())
  const completed = await complete(url, ...body.tickets)
  expect(completed.body.uploads).toHaveLength(60)
  const uploads = await listed(party._id)
  expect(new Set(uploads.map(({ filename }) => filename)).size).toBe(60)
  expect(uploads.map(({ sha256 }) => sha256).toSorted()).toEqual(
    files.map(({ bytes }) => sha256Of(bytes)).toSorted(),
  )
})

test('When the same photo is sent again, then the answer says that it exists, before or after its bytes are sent', async () => {
  const file = { name: 'a.jpg', bytes: await uniquePhoto() }
  const tickets = [await newTicket(url, event._id, file), await newTicket(url, event._id, file)] as const
  for (const { transfer } of tickets) await putFile(transfer, file.bytes)
  const first = await complete(url, tickets[0])
  const second = await complete(url, tickets[1])
  expect(second.body.uploads).toEqual([
    { ...first.body.uploads[0], uploadId: tickets[1].uploadId, duplicate: true },
  ])
  expect((await complete(url, tickets[1])).body).toEqual(second.body)

  const form = await sendFiles(url, event._id, [{ name: 'b.jpg', bytes: await uniquePhoto() }])
  const { sha256, size, _id } = form.body.uploads[0]
  const { body } = await call(url, createUploadTickets, {
    body: { eventId: event._id, photoCredit: 'Table 4', files: [{ name: 'c.jpg', size, sha256 }] },
  })
  expect(body.tickets[0]).toMatchObject({
    outcome: 'duplicate',
    upload: { _id, originalName: 'c.jpg', duplicate: true },
  })
})

test('When a hash is declared at the completion, then the photo is listed with it, and a later completion changes nothing', async () => {
  const bytes = await uniquePhoto()
  const ticket = await newTicket(url, event._id, { name: 'a.jpg', bytes }, { sha256: '' })
  await putFile(ticket.transfer, bytes)
  const sha256 = 'a1'.repeat(32)
  const { status, body } = await complete(url, { ...ticket, sha256 })
  expect([status, body.uploads]).toMatchObject([201, [{ _id: ticket.uploadId, sha256, duplicate: false }]])
  expect(await findListed(ticket.uploadId)).toMatchObject({ sha256, status: 'processing' })
  // Of a photo whose hash is not verified, the same hash with other bytes is no duplicate.
  const other = await uniquePhoto()
  const second = await newTicket(url, event._id, { name: 'b.jpg', bytes: other }, { sha256: '' })
  await putFile(second.transfer, other)
  expect((await complete(url, { ...second, sha256 })).body.uploads[0].duplicate).toBe(false)

  expect((await complete(url, { ...ticket, sha256: 'b2'.repeat(32) }, ticket)).body).toEqual(body)
})

test('When a ticket has a hash, then it counts, and not that of the completion', async () => {
  const bytes = await uniquePhoto()
  const ticket = await newTicket(url, event._id, { name: 'a.jpg', bytes })
  await putFile(ticket.transfer, bytes)
  const { body } = await complete(url, { ...ticket, sha256: 'a'.repeat(64) })
  expect(body.uploads[0].sha256).toBe(sha256Of(bytes))
})

test('When a completion declares a malformed hash, then the answer names it, and nothing is completed', async () => {
  const bytes = await uniquePhoto()
  const ticket = await newTicket(url, event._id, { name: 'a.jpg', bytes }, { sha256: '' })
  await putFile(ticket.transfer, bytes)
  const { status, body } = await complete(url, ticket, { ...ticket, sha256: 'A'.repeat(64) })
  expect(status).toBe(400)
  expect(body.details).toMatchObject([{ field: 'tickets.1.sha256', code: 'malformed' }])
  expect(await findListed(ticket.uploadId)).toBeUndefined()
})

test.each([
  ['small', 0],
  ['sent in blocks', 9 * MB],
])(
  'When the event has a file that is %s already, then the completion that declares its hash answers with it',
  async (_, size) => {
    const bytes = size > 0 ? await largePhoto(size) : await uniquePhoto()
    const { body } = await sendFiles(url, event._id, [{ name: 'form.jpg', bytes }])
    const [{ _id }] = body.uploads
    const ticket = await newTicket(url, event._id, { name: 'again.jpg', bytes }, { sha256: '' })
    await putFile(ticket.transfer, bytes)
    const completed = await complete(url, { ...ticket, sha256: sha256Of(bytes) })
    expect(completed.body.uploads).toMatchObject([{ _id, uploadId: ticket.uploadId, duplicate: true }])
    expect(await findListed(ticket.uploadId)).toBeUndefined()
  },
)

test('When no file can be hashed for the moment, then what declares its hash is stored nevertheless, also what may be a duplicate', async () => {
  const again = { name: 'again.jpg', bytes: await uniquePhoto() }
  await sendFiles(url, event._id, [again])
  const other = { name: 'other.jpg', bytes: await uniquePhoto() }
  const files = [again, other].map((file) => ({ ...file, sha256: sha256Of(file.bytes) }))
  const tickets: (Awaited<ReturnType<typeof newTicket>> & { sha256: string })[] = []
  for (const { sha256, ...file } of files) {
    const ticket = await newTicket(url, event._id, file, { sha256: '' })
    await putFile(ticket.transfer, file.bytes)
    tickets.push({ ...ticket, sha256 })
  }
  const download = mock.method(BlobClient.prototype, 'download', () => Promise.reject(new Error('busy')))
  const { body } = await complete(url, ...tickets)
  expect(download.mock.callCount()).toBe(1)
  download.mock.restore()
  expect(body.uploads).toMatchObject(tickets.map(({ uploadId, sha256 }) => ({ _id: uploadId, sha256 })))
})

test('When a guest declares the hash of a photo that the event has, then their own photo is stored nevertheless', async () => {
  const { body } = await sendFiles(url, event._id, [{ name: 'form.jpg', bytes: await uniquePhoto() }])
  const [{ sha256 }] = body.uploads
  const bytes = await uniquePhoto()
  const ticket = await newTicket(url, event._id, { name: 'mine.jpg', bytes }, { sha256: '' })
  await putFile(ticket.transfer, bytes)
  const completed = await complete(url, { ...ticket, sha256 })
  expect(completed.body.uploads).toMatchObject([
    { _id: ticket.uploadId, sha256: sha256Of(bytes), duplicate: false },
  ])
  expect((await readBytes(ticket.uploadId)).equals(bytes)).toBe(true)
})

test('When a guest declares the hash of another photo, then that photo is not kept out', async () => {
  const mine = await uniquePhoto()
  await sendDirect(
    url,
    event._id,
    { name: 'false.jpg', bytes: await uniquePhoto() },
    { sha256: sha256Of(mine) },
  )
  const direct = await sendDirect(url, event._id, { name: 'mine.jpg', bytes: mine })
  expect(direct.body.uploads[0].duplicate).toBe(false)
  const form = await sendFiles(url, event._id, [{ name: 'mine.jpg', bytes: mine }])
  expect(form.body.uploads[0].duplicate).toBe(false)
  expect((await readBytes(direct.body.uploads[0]._id)).equals(mine)).toBe(true)
})

test('When the media worker finds another hash, then it replaces the declared one, and an upload with the same bytes is merged', async () => {
  const bytes = await uniquePhoto()
  const form = await sendFiles(url, event._id, [{ name: 'mine.jpg', bytes }])
  const lie = await sendDirect(
    url,
    event._id,
    { name: 'lie.jpg', bytes: await uniquePhoto() },
    { sha256: 'a'.repeat(64) },
  )
  const copy = await sendDirect(url, event._id, { name: 'copy.jpg', bytes }, { sha256: 'b'.repeat(64) })
  const damaged = await sendDirect(
    url,
    event._id,
    { name: 'cut.jpg', bytes: await uniquePhoto() },
    { sha256: 'c'.repeat(64) },
  )
  const [completed] = messages.ofType('upload.completed.v1')
  if (!completed) throw new Error('No message')
  const publish = (type: 'media.processed.v1' | 'media.failed.v1', data: object) =>
    messages.publish({ ...completed, id: randomBytes(12).toString('hex'), type, data } as never)
  const idOf = ({ body }: typeof lie): string => body.uploads[0]._id
  await publish('media.processed.v1', {
    uploadId: idOf(lie),
    width: 1,
    height: 1,
    sha256: 'd'.repeat(64),
    crc32: 7,
  })
  await publish('media.processed.v1', {
    uploadId: idOf(copy),
    width: 1,
    height: 1,
    sha256: sha256Of(bytes),
    crc32: 7,
  })
  await publish('media.failed.v1', {
    uploadId: idOf(damaged),
    reason: 'No image.',
    decoderVersion: DECODER_VERSION,
    sha256: 'e'.repeat(64),
    crc32: 7,
  })

  await eventually(async () => (await findListed(idOf(lie)))?.status === 'ready', 'the file being ready')
  expect((await findListed(idOf(lie)))?.sha256).toBe('d'.repeat(64))
  await eventually(async () => !(await findListed(idOf(copy))), 'the copy having been merged')
  expect(await findListed(idOf(form))).toBeDefined()
  await eventually(async () => (await findListed(idOf(damaged)))?.status === 'failed', 'the damaged file')
  expect(await findListed(idOf(damaged))).toMatchObject({
    sha256: 'e'.repeat(64),
    failureReason: 'The file was damaged on its way. Please send it again.',
  })
})

test('When the answer to a completion was lost, and the upload was merged into another one since, then the next answer has that one', async () => {
  const bytes = await uniquePhoto()
  const file = { name: 'copy.jpg', bytes }
  const form = await sendFiles(url, event._id, [{ name: 'mine.jpg', bytes }])
  const stayingId = String(form.body.uploads[0]._id)
  const ticket = await newTicket(url, event._id, file, { sha256: 'f'.repeat(64) })
  await putFile(ticket.transfer, bytes)
  expect((await complete(url, ticket)).body.uploads[0]).toMatchObject({
    _id: ticket.uploadId,
    duplicate: false,
  })
  const [completed] = messages.ofType('upload.completed.v1')
  if (!completed) throw new Error('No message')
  const data = { uploadId: ticket.uploadId, width: 1, height: 1, sha256: sha256Of(bytes), crc32: 7 }
  await messages.publish({
    ...completed,
    id: randomBytes(12).toString('hex'),
    type: 'media.processed.v1',
    data,
  } as never)
  await eventually(async () => !(await findListed(ticket.uploadId)), 'the upload having been merged')

  const answer = { _id: stayingId, originalName: 'copy.jpg', duplicate: true }
  expect((await complete(url, ticket)).body.uploads).toMatchObject([{ ...answer, uploadId: ticket.uploadId }])
  const resumed = await call(url, resumeUploads, { body: { tickets: [ticket.ticket] } })
  expect(resumed.body.tickets).toMatchObject([{ outcome: 'done', upload: answer }])
})

test('When no hash is declared, then the service computes it, and a second completion gives the same answer', async () => {
  const files = await Promise.all(
    [1, 2, 3].map(async (n) => ({ name: `${n}.jpg`, bytes: await uniquePhoto() })),
  )
  const tickets = await Promise.all(
    files.map(async (file) => {
      const ticket = await newTicket(url, event._id, file, { sha256: '' })
      await putFile(ticket.transfer, file.bytes)
      return ticket
    }),
  )
  const { body } = await complete(url, ...tickets)
  expect(body.uploads.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(
    files.map(({ bytes }) => sha256Of(bytes)),
  )
  expect((await complete(url, ...tickets)).body).toEqual(body)
})

test('When a file has not arrived whole, then its completion is incomplete, and it can be resumed and completed', async () => {
  const bytes = await largePhoto(20 * MB)
  const ticket = await newTicket(url, event._id, { name: 'large.jpg', bytes })
  const transfer = ticket.transfer as BlockTransfer
  for (const index of [3, 0]) expect(await putBlock(transfer, bytes, index)).toBe(201)
  const early = await complete(url, ticket)
  expect(early.body).toMatchObject({
    uploads: [],
    rejected: [{ uploadId: ticket.uploadId, originalName: 'large.jpg', code: 'incomplete' }],
  })

  const { status, body } = await call(url, resumeUploads, { body: { tickets: [ticket.ticket] } })
  expect(status).toBe(200)
  expect(body.tickets[0]).toMatchObject({ outcome: 'send', uploadId: ticket.uploadId })
  expect(body.tickets[0].transfer.received).toEqual([transfer.blockIds[0], transfer.blockIds[3]])
  for (const index of [1, 2, 4]) await putBlock(body.tickets[0].transfer, bytes, index)
  const completed = await complete(url, body.tickets[0])
  expect(completed.body.uploads).toHaveLength(1)
  expect((await readBytes(ticket.uploadId)).equals(bytes)).toBe(true)

  const again = await call(url, resumeUploads, { body: { tickets: [ticket.ticket, 'nonsense.x'] } })
  expect(again.body.tickets).toEqual([
    { outcome: 'done', upload: expect.objectContaining({ _id: ticket.uploadId }) },
    { outcome: 'rejected', code: 'expired', message: expect.any(String) },
  ])
})

test('When the bytes have another size than declared, then they are removed, and the whole file can be sent', async () => {
  const bytes = await uniquePhoto()
  const ticket = await newTicket(url, event._id, { name: 'a.jpg', bytes })
  await putFile(ticket.transfer, bytes.subarray(0, 1_000))
  expect((await complete(url, ticket)).body.rejected[0].code).toBe('incomplete')
  await putFile(ticket.transfer, bytes.subarray(0, 0))
  expect((await complete(url, ticket)).body.rejected[0].code).toBe('incomplete')
  await putFile(ticket.transfer, bytes)
  expect((await complete(url, ticket)).body.uploads).toHaveLength(1)
})

test('When the bytes are of no accepted type, then the file is rejected, and others of the call are stored', async () => {
  const page = Buffer.from('<html><script>alert(1)</script></html>')
  const bad = await newTicket(url, event._id, { name: 'page.jpg', bytes: page })
  await fetch(bad.transfer.url, {
    method: 'PUT',
    headers: { ...bad.transfer.headers, 'x-ms-blob-content-type': 'text/html' },
    body: page,
  })
  const file = { name: 'good.jpg', bytes: await uniquePhoto() }
  const good = await newTicket(url, event._id, file)
  await putFile(good.transfer, file.bytes)
  const { body } = await complete(url, bad, good)
  expect(body.uploads).toHaveLength(1)
  expect(body.rejected).toEqual([
    expect.objectContaining({ uploadId: bad.uploadId, originalName: 'page.jpg', code: 'unsupported_type' }),
  ])
})

test('When photos with declared hashes are completed, then each is read by a link, and not by the client of Azure', async () => {
  const tickets = await Promise.all(
    [1, 2].map(async (number) => {
      const file = { name: `${number}.jpg`, bytes: await uniquePhoto() }
      const ticket = await newTicket(url, event._id, file)
      await putFile(ticket.transfer, file.bytes)
      return ticket
    }),
  )
  const download = mock.method(BlobClient.prototype, 'download')
  const { body } = await complete(url, ...tickets)
  expect([body.uploads.length, download.mock.callCount()]).toEqual([2, 0])
  download.mock.restore()
})

test('When a guest chooses headers for a photo, then it is served without them', async () => {
  const bytes = await uniquePhoto()
  const ticket = await newTicket(url, event._id, { name: 'a.jpg', bytes })
  const { status } = await fetch(ticket.transfer.url, {
    method: 'PUT',
    headers: {
      ...ticket.transfer.headers,
      'x-ms-blob-content-type': 'text/html',
      'x-ms-blob-content-encoding': 'gzip',
      'x-ms-blob-cache-control': 'public, max-age=9999999',
    },
    body: bytes,
  })
  expect(status).toBe(201)
  await complete(url, ticket)
  const { headers } = await readOriginal(ticket.uploadId)
  expect(headers.get('content-type')).toBe('image/jpeg')
  expect(headers.get('content-encoding')).toBeNull()
  expect(headers.get('cache-control')).toBeNull()
})

test('When an upload has been deleted, then completing it again gives the same answer, and it stays deleted', async () => {
  const file = { name: 'a.jpg', bytes: await uniquePhoto() }
  const ticket = await newTicket(url, event._id, file)
  await putFile(ticket.transfer, file.bytes)
  const first = await complete(url, ticket)
  await call(url, deleteUpload, { token: admin.token, params: { uploadId: ticket.uploadId } })
  await container().getBlobClient(blobNames.original(ticket.uploadId)).delete()
  expect((await complete(url, ticket)).body).toEqual(first.body)
  expect(await findListed(ticket.uploadId)).toBeUndefined()
})

test('When a ticket has been changed, then it is rejected', async () => {
  const file = { name: 'a.jpg', bytes: await uniquePhoto() }
  const { ticket, transfer } = await newTicket(url, event._id, file)
  await putFile(transfer, file.bytes)
  const [payload = '', signature = ''] = ticket.split('.')
  const changed = Buffer.from(payload, 'base64url').toString().replace('Table 4', 'Table 5')
  for (const forged of [
    `${Buffer.from(changed).toString('base64url')}.${signature}`,
    payload,
    `${ticket}x`,
  ]) {
    const { status, body } = await complete(url, { ticket: forged })
    expect([status, body.uploads, body.rejected[0].code]).toEqual([201, [], 'expired'])
  }
})
