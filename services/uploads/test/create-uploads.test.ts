import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { BlobServiceClient } from '@azure/storage-blob'
import { listEventUploads, type Event, type Upload } from '@confetti/contracts'
import { startInProcess } from '@confetti/launcher'
import {
  call,
  eventually,
  inProcess,
  readGauge,
  recordMessages,
  newAdmin,
  newEvent,
  newOrganiser,
  readSample,
  sampleNames,
  sendFiles,
  startTestSystem,
  uniquePhoto,
  uploadForm,
  type Account,
  type RecordedMessages,
  type TestSystem,
} from '@confetti/test-kit'
import { buildUploadForm, type UploadForm } from '@confetti/test-kit/upload-form'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const MAX_FILE_BYTES = 3_000_000

let system: TestSystem
let messages: RecordedMessages
let url: string
let admin: Account
let organiser: Account
let event: Event

beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads'],
    environment: { uploads: { MAX_FILE_BYTES: String(MAX_FILE_BYTES), MAX_FILES_PER_REQUEST: '3' } },
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

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const listed = async (eventId = event._id): Promise<Upload[]> => {
  const { body } = await call(url, listEventUploads, { token: admin.token, params: { eventId } })
  return body.uploads as Upload[]
}

const container = () =>
  BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(system.namespace)

const blobNamesNow = async (): Promise<string[]> => {
  const names: string[] = []
  for await (const { name } of container().listBlobsFlat({ includeUncommitedBlobs: true })) names.push(name)
  return names
}

/** What is not needed is removed after the response. */
const nothingIsLeftBesides = (names: readonly string[]): Promise<boolean> =>
  eventually(async () => isDeepStrictEqual(await blobNamesNow(), names), 'the blobs being removed')

test.each(sampleNames)(
  'When %s is sent, then its bytes are stored and a message is published',
  async (name) => {
    const party = await newEvent(system.url('events'), admin, organiser)
    const bytes = await readSample(name)
    const { status, body } = await sendFiles(url, party._id, [{ name, bytes }])

    expect(status).toBe(201)
    expect(body).toMatchObject({
      message: 'Media uploaded successfully.',
      uploads: [{ originalName: name, size: bytes.length, sha256: sha256(bytes), duplicate: false }],
      rejected: [],
    })
    const [upload] = await listed(party._id)
    expect(upload).toMatchObject({ _id: body.uploads[0]._id, status: 'processing', photoCredit: 'Table 4' })
    const original = await fetch(upload?.url ?? '')
    expect(Buffer.from(await original.arrayBuffer()).equals(bytes)).toBe(true)
    expect(original.headers.get('content-type')).toBe(body.uploads[0].contentType)
    expect(original.headers.get('content-disposition')).toContain('attachment')
    await eventually(() =>
      messages.ofType('upload.completed.v1').find(({ data }) => data.uploadId === upload?._id),
    )
  },
)

test('When the same file is sent twice, then one upload exists and both answers are successes', async () => {
  const bytes = await uniquePhoto()
  const first = await sendFiles(url, event._id, [{ name: 'a.jpg', bytes }])
  const second = await sendFiles(url, event._id, [{ name: 'b.jpg', bytes }])
  expect(second.status).toBe(201)
  expect(second.body.uploads[0]).toMatchObject({ _id: first.body.uploads[0]._id, duplicate: true })
  expect((await listed()).filter((upload) => upload.sha256 === sha256(bytes))).toHaveLength(1)
})

test('When 20 phones send the same file at once, then one upload and one blob exist', async () => {
  const bytes = await uniquePhoto()
  const before = new Set(await blobNamesNow())
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => sendFiles(url, event._id, [{ name: 'x.jpg', bytes }])),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
  expect(answers.filter(({ body }) => !body.uploads[0].duplicate)).toHaveLength(1)
  expect((await listed()).filter((upload) => upload.sha256 === sha256(bytes))).toHaveLength(1)
  // The blobs of duplicates are deleted after the responses.
  await eventually(
    async () => (await blobNamesNow()).filter((name) => !before.has(name)).length === 1,
    'one new blob',
  )
})

test('When another guest sends the same file, then it is another upload', async () => {
  const bytes = await uniquePhoto()
  await sendFiles(url, event._id, [{ name: 'a.jpg', bytes }], 'Table 5')
  const { body } = await sendFiles(url, event._id, [{ name: 'a.jpg', bytes }], 'Table 6')
  expect(body.uploads[0].duplicate).toBe(false)
})

test('When files have the same name, then their names in a ZIP differ', async () => {
  const party = await newEvent(system.url('events'), admin, organiser)
  const files = await Promise.all(
    ['image.jpg', 'image.jpg', 'IMAGE.JPG'].map(async (name) => ({ name, bytes: await uniquePhoto() })),
  )
  await sendFiles(url, party._id, files)
  const names = (await listed(party._id)).map(({ filename }) => filename.split('/').at(-1)?.toLowerCase())
  expect(new Set(names).size).toBe(3)
  expect(names).toContain('image.jpg')
})

test('When some files of a request are bad, then each is rejected individually and the others are stored', async () => {
  const { status, body } = await sendFiles(url, event._id, [
    { name: 'notes.jpg', bytes: Buffer.alloc(2_500_000, 'This is a text, whatever its name says. ') },
    { name: 'good.jpg', bytes: await uniquePhoto() },
    { name: 'empty.png', bytes: Buffer.alloc(0) },
  ])
  expect(status).toBe(201)
  expect(body.uploads).toMatchObject([{ originalName: 'good.jpg' }])
  expect(body.rejected).toMatchObject([
    { originalName: 'notes.jpg', code: 'unsupported_type' },
    { originalName: 'empty.png', code: 'empty_file', message: 'The file is empty.' },
  ])
})

test('When there is one file too many, then that one is rejected and the others are stored', async () => {
  const files = await Promise.all(
    [1, 2, 3, 4].map(async (n) => ({ name: `${n}.jpg`, bytes: await uniquePhoto() })),
  )
  const { status, body } = await sendFiles(url, event._id, files)
  expect(status).toBe(201)
  expect(body.uploads).toHaveLength(3)
  expect(body.rejected).toMatchObject([{ originalName: '4.jpg', code: 'too_many_files' }])
})

test('When a file has exactly the limit, then it is stored; with one byte more it is rejected', async () => {
  const photo = await uniquePhoto()
  const exact = Buffer.concat([photo, Buffer.alloc(MAX_FILE_BYTES - photo.length)])
  expect((await sendFiles(url, event._id, [{ name: 'exact.jpg', bytes: exact }])).status).toBe(201)

  const before = await blobNamesNow()
  const { status, body } = await sendFiles(url, event._id, [
    { name: 'more.jpg', bytes: Buffer.concat([exact, Buffer.alloc(1)]) },
  ])
  expect(status).toBe(413)
  expect(body.message).toMatch(/^The file is larger than/)
  await nothingIsLeftBesides(before)
})

test('When fields follow the files, then the result is the same', async () => {
  const form = new FormData()
  form.append('media', new Blob([await uniquePhoto()]), 'late.jpg')
  form.set('photoCredit', 'Table 6')
  form.set('eventId', event._id)
  const response = await fetch(`${url}/api/uploads`, { method: 'POST', body: form })
  expect(response.status).toBe(201)
})

const formWith = (change: (form: FormData) => void, photo: Uint8Array<ArrayBuffer>): FormData => {
  const form = uploadForm(event._id, 'Table 4', [{ name: 'p.jpg', bytes: photo }])
  change(form)
  return form
}

test.each<[string, (form: FormData) => void, number, string]>([
  ['no event', (form) => form.delete('eventId'), 400, 'Event ID is missing.'],
  ['no file', (form) => form.delete('media'), 400, 'Please select at least one file.'],
  [
    'nothing chosen in the picker',
    (form) => form.set('media', new Blob([]), ''),
    400,
    'Please select at least one file.',
  ],
  ['no name', (form) => form.delete('photoCredit'), 400, 'Photo credit name is required.'],
  ['a blank name', (form) => form.set('photoCredit', ' \u00a0 '), 400, 'Photo credit name is required.'],
  [
    'a name of 81 characters',
    (form) => form.set('photoCredit', '🎉'.repeat(81)),
    400,
    'The name is longer than 80 characters.',
  ],
  ['an unknown event', (form) => form.set('eventId', 'a'.repeat(24)), 404, 'Event not found.'],
  ['a malformed event', (form) => form.set('eventId', '../x'), 404, 'Event not found.'],
])('When a form has %s, then it is rejected and leaves no blob', async (_, change, status, message) => {
  const before = await blobNamesNow()
  const response = await fetch(`${url}/api/uploads`, {
    method: 'POST',
    body: formWith(change, await uniquePhoto()),
  })
  expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
    status,
    message,
  ])
  await nothingIsLeftBesides(before)
})

test('When a credit has 80 emoji, then it is stored unchanged, in NFC', async () => {
  const bytes = await uniquePhoto()
  await sendFiles(url, event._id, [{ name: 'e.jpg', bytes }], `${'🎉'.repeat(79)}e\u0301`)
  const upload = (await listed()).find((each) => each.sha256 === sha256(bytes))
  expect(upload?.photoCredit).toBe(`${'🎉'.repeat(79)}é`)
})

test('When an event ended 40 days ago, then it is closed for uploads', async () => {
  const past = await newEvent(system.url('events'), admin, organiser, { startsIn: -41, endsIn: -40 })
  const { status } = await sendFiles(url, past._id, [{ name: 'p.jpg', bytes: await uniquePhoto() }])
  expect(status).toBe(410)
})

test('When the body is not a form, or a malformed one, then the error says so', async () => {
  const json = await fetch(`${url}/api/uploads`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  })
  expect(json.status).toBe(415)
  const broken = await fetch(`${url}/api/uploads`, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: '--x\r\nContent-Disposition: form-data; name="media"; filename="a.jpg"\r\n\r\nhalf a file',
  })
  expect(broken.status).toBe(400)
})

test('When a form is compressed, then it is rejected, and no part of it is stored as a photo', async () => {
  const before = await blobNamesNow()
  const { contentType, head, end } = buildUploadForm({ eventId: event._id, credit: 'Table 4', name: 'a.jpg' })
  const form = Buffer.concat([Buffer.from('\r\n'), head, await uniquePhoto(), end])
  // At level 0 all of the form stands in it, with some bytes more here and there.
  for (const level of [0, 9]) {
    const response = await fetch(`${url}/api/uploads`, {
      method: 'POST',
      headers: { 'Content-Type': contentType, 'Content-Encoding': 'gzip' },
      body: new Uint8Array(gzipSync(form, { level })),
    })
    expect([response.status, await response.json()]).toMatchObject([415, { code: 'encoded_content' }])
  }
  await nothingIsLeftBesides(before)
})

const bytesInFlight = () => readGauge(system, 'uploads', 'uploads_bytes_in_flight')

test('When a phone disconnects during an upload, then nothing of the upload is left', async () => {
  const before = await blobNamesNow()
  const photo = Buffer.concat([await readSample('phone-jolla.jpg'), Buffer.alloc(1_500_000)])
  const form = buildUploadForm({ eventId: event._id, credit: 'Hangs Up', name: 'half.jpg' })
  await new Promise<void>((resolve) => {
    const sending = httpRequest(`${url}/api/uploads`, {
      method: 'POST',
      headers: { 'Content-Type': form.contentType, 'Content-Length': form.contentLengthFor(photo.length) },
    })
    sending.on('error', () => resolve())
    sending.write(form.head)
    sending.write(photo, () => sending.destroy())
    sending.on('close', () => resolve())
  })
  await eventually(async () => (await bytesInFlight()) === 0)
  await eventually(() => system.log.some((line) => line.includes('client disconnected')))
  expect((await listed()).some(({ photoCredit }) => photoCredit === 'Hangs Up')).toBe(false)
  await nothingIsLeftBesides(before)
})

test('When an upload has a token, then it is ignored', async () => {
  const response = await fetch(`${url}/api/uploads`, {
    method: 'POST',
    headers: { Authorization: 'Bearer nonsense' },
    body: uploadForm(event._id, 'Table 4', [{ name: 't.jpg', bytes: await uniquePhoto() }]),
  })
  expect(response.status).toBe(201)
})

/** Sends the beginning of a form and then nothing more. */
const fallSilent = (form: UploadForm, more: Uint8Array = new Uint8Array()) => {
  const sending = httpRequest(`${url}/api/uploads`, {
    method: 'POST',
    headers: { 'Content-Type': form.contentType, 'Content-Length': 2_900_000 },
  })
  const status = new Promise<number>((resolve, reject) => {
    sending.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject)
  })
  sending.write(form.head)
  if (more.length > 0) sending.write(more)
  return { status, hangUp: () => sending.destroy() }
}

test('When a phone stops sending after an unknown event id, then it gets the error at once', async () => {
  const form = buildUploadForm({ eventId: 'a'.repeat(24), credit: 'Silent', name: 'a.jpg' })
  const { status, hangUp } = fallSilent(form)
  expect(await status).toBe(404)
  hangUp()
})

test('When an upload takes longer than it may, then it gets 408 and releases its memory', async () => {
  const environment = { ...system.environment('uploads'), MAX_UPLOAD_DURATION_MS: '500' }
  const impatient = await startInProcess('uploads', inProcess('uploads'), environment, () => undefined)
  const replicas = { replicas: () => [impatient] }
  const form = buildUploadForm({ eventId: event._id, credit: 'Slow', name: 'a.jpg' })
  const photo = await readSample('phone-jolla.jpg')
  const sending = httpRequest(`${impatient.url}/api/uploads`, {
    method: 'POST',
    headers: { 'Content-Type': form.contentType },
  })
  sending.write(form.head)
  let response: IncomingMessage | undefined
  sending.on('response', (answer) => (response = answer))
  const answer = await eventually(() => {
    sending.write(photo.subarray(0, 1_000))
    return response
  }, 'the answer')
  expect([answer.statusCode, await json(answer)]).toMatchObject([408, { code: 'too_slow' }])
  await eventually(async () => (await readGauge(replicas, 'uploads', 'uploads_bytes_in_flight')) === 0)
  sending.destroy()
  await impatient.stop()
})

test('When a form has far more files than allowed, then the allowed ones are stored', async () => {
  const photo = (await uniquePhoto()).subarray(0, 5_000)
  const files = Array.from({ length: 230 }, (_, n) => ({
    name: `${n}.jpg`,
    bytes: Buffer.concat([photo, Buffer.of(n)]),
  }))
  const { status, body } = await sendFiles(url, event._id, files)
  expect({ status, message: body.message }).toMatchObject({ status: 201 })
  expect(body.uploads.map(({ originalName }: { originalName: string }) => originalName)).toEqual([
    '0.jpg',
    '1.jpg',
    '2.jpg',
  ])
  // Named are 200 of those that are too many.
  expect(body.rejected).toHaveLength(200)
  expect(body.rejected.at(-1)).toMatchObject({ originalName: '202.jpg', code: 'too_many_files' })
})

test('When a form has too many parts, then it is rejected', async () => {
  const nothing = Array.from({ length: 5_000 }, (_, n) => ({ name: `${n}.jpg`, bytes: new Uint8Array() }))
  const { status, body } = await sendFiles(url, event._id, nothing)
  expect([status, body.message]).toEqual([
    413,
    'That is too much for one upload. Please send fewer files at once.',
  ])
})

test.each([
  ['a file', '--x\r\nContent-Disposition: form-data; name="media"; filename="a.jpg"\r\n\r\n'],
  ['a field', '--x\r\nContent-Disposition: form-data; name="other"\r\n\r\n'],
  ['a preamble', ''],
])(
  'When more than 1 MB arrives before the event, in %s, then the form is rejected while it is being sent',
  async (_, head) => {
    const outgoing = httpRequest(`${url}/api/uploads`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 2 * MAX_FILE_BYTES },
    })
    outgoing.on('error', () => undefined)
    outgoing.write(head)
    outgoing.write(await readSample('camera-gps.jpg'))
    outgoing.write(Buffer.alloc(1_100_000))
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(400)
    expect(JSON.parse((await response.toArray()).join(''))).toMatchObject({
      message: 'Event ID is missing.',
      details: [
        { field: 'eventId', message: 'Send the event ID before the files.', code: 'event_id_missing' },
      ],
    })
    outgoing.destroy()
  },
)

test('When the name is sent first and is missing, then the form is rejected before its files are sent', async () => {
  const outgoing = httpRequest(`${url}/api/uploads`, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 2 * MAX_FILE_BYTES },
  })
  outgoing.on('error', () => undefined)
  outgoing.write('--x\r\nContent-Disposition: form-data; name="photoCredit"\r\n\r\n \r\n--x\r\n')
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  expect(JSON.parse((await response.toArray()).join(''))).toMatchObject({
    message: 'Photo credit name is required.',
  })
  outgoing.destroy()
})
