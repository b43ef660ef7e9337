import { MB, listEventUploads, type Event, type Upload } from '@confetti/contracts'
import {
  call,
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  sendDirect,
  sendFiles,
  sha256Of,
  startTestSystem,
  uniquePhoto,
  type Account,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Registry } from 'prom-client'
import { createLinkSigner } from '../src/storage/link-signer.ts'
import { startAzureAccount } from './azure-account.ts'

let account: Awaited<ReturnType<typeof startAzureAccount>>
let system: TestSystem
let url: string
let admin: Account
let event: Event

beforeAll(async () => {
  account = await startAzureAccount()
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads', 'media'],
    // The client of a managed identity reads the variables of its process.
    processes: ['uploads', 'media'],
    environment: { uploads: account.environment, media: account.environment },
  })
  url = system.url('uploads')
  admin = await newAdmin(system, system.url('auth'))
  event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
}, 180_000)

afterAll(async () => {
  await system.stop()
  await account.stop()
})

const findReady = (id: string): Promise<Upload> =>
  eventually(async () => {
    const { body } = await call(url, listEventUploads, { token: admin.token, params: { eventId: event._id } })
    return (body.uploads as Upload[]).find(({ _id, status }) => _id === id && status === 'ready')
  }, `upload ${id} being processed`)

const photoOf = async (size: number): Promise<Buffer<ArrayBuffer>> => {
  const photo = await uniquePhoto()
  return Buffer.concat([photo, Buffer.alloc(Math.max(0, size - photo.length))])
}

test.each([
  ['by one request', 0],
  ['in blocks', 9 * MB],
])(
  'When services have no account key and a photo is sent straight to blob storage %s, then it is stored, processed, and read by links of a delegation key',
  async (_, size) => {
    const bytes = await photoOf(size)
    const { status, body } = await sendDirect(url, event._id, { name: 'direct.jpg', bytes })
    expect({ status, rejected: body.rejected }).toEqual({ status: 201, rejected: [] })
    const upload = await findReady(body.uploads[0]._id)
    expect(new URL(upload.url).searchParams.get('skoid')).toBeTruthy()
    const original = await fetch(upload.url)
    expect(sha256Of(Buffer.from(await original.arrayBuffer()))).toBe(sha256Of(bytes))
    expect((await fetch(upload.thumbnailUrl ?? '')).headers.get('content-type')).toBe('image/webp')
    expect(account.tokenRequests()).toBeGreaterThan(0)
  },
)

test('When services have no account key and a photo is sent in a form, then it is stored', async () => {
  const bytes = await uniquePhoto()
  const { status, body } = await sendFiles(url, event._id, [{ name: 'form.jpg', bytes }])
  expect(status).toBe(201)
  const { url: link } = await findReady(body.uploads[0]._id)
  expect(sha256Of(Buffer.from(await (await fetch(link)).arrayBuffer()))).toBe(sha256Of(bytes))
})

test('When the delegation key is not renewed, then links that it cannot sign are 503, until it is renewed', async () => {
  const startedAt = Date.now()
  const metrics = new Registry()
  let now = startedAt
  const signer = await createLinkSigner(account.service, {
    clock: () => new Date(now),
    newCallDeadline: () => ({ abortSignal: AbortSignal.timeout(30_000) }),
    metrics,
  })
  const sign = (startsAt: number): URLSearchParams =>
    new URLSearchParams(
      signer.sign(
        { containerName: 'photos', blobName: 'photo' },
        { permissions: 'r', startsAt: new Date(startsAt), expiresAt: new Date(now + 60_000) },
      ),
    )
  const hours = 3_600_000
  const ofOldTicket = sign(now - 23 * hours)
  expect(ofOldTicket.get('st')).toBe(ofOldTicket.get('skt'))
  now = startedAt + 40 * hours
  expect(sign(now).get('se')).not.toBeNull()
  now = startedAt + 49 * hours
  expect(() => sign(now)).toThrow(expect.objectContaining({ code: 'unavailable' }))
  await signer.renewKey()
  expect(sign(now).get('skoid')).toBeTruthy()
  const { values } = (await metrics.getMetricsAsJSON())[0] ?? {}
  expect(values?.[0]?.value).toBeGreaterThan((now + 40 * hours) / 1_000)
})

test.each([
  ['neither an account key nor an account', { BLOB_CONNECTION_STRING: '' }],
  ['both an account key and an account', { BLOB_ACCOUNT_URL: 'https://confetti.blob.core.windows.net' }],
])('When the configuration has %s, then the service does not start', async (_, media) => {
  const start = startTestSystem({ services: ['media'], environment: { media } })
  await expect(start).rejects.toThrow('BLOB_CONNECTION_STRING, BLOB_ACCOUNT_URL: set one of them')
})
