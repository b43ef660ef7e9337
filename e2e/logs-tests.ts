import { randomBytes } from 'node:crypto'
import {
  createEventArchive,
  createEventPass,
  createUploads,
  createWall,
  EVENT_PASS_HEADER,
  getEvent,
  listWall,
  login,
  refresh,
  updateEvent,
} from '@confetti/contracts'
import {
  call,
  eventually,
  newEvent,
  readSample,
  uniquePhoto,
  uploadForm,
  type FileToSend,
} from '@confetti/test-kit'
import { beforeAll, expect, test } from '@jest/globals'
import { listUploads, waitForProcessing, type Harness } from './harness.ts'
import { joinSystem } from './shared-system.ts'

interface LogLine {
  service: string
  msg: string
  requestId?: string
  uploadId?: string
  queue?: string
}

let harness: Harness
beforeAll(async () => {
  harness = await joinSystem()
})

const findLines = (text: string): LogLine[] =>
  harness.system.log.filter((line) => line.includes(text)).map((line) => JSON.parse(line) as LogLine)

/** Uploads a file and waits until it has been processed. */
const uploadFile = async (file: FileToSend): Promise<{ requestId: string; uploadId: string }> => {
  const { api, event } = harness
  const body = uploadForm(event._id, 'Table 4', [file])
  const { headers, body: created } = await call(api, createUploads, { body })
  const uploadId = created.uploads[0]._id as string
  await waitForProcessing(harness, uploadId)
  return { requestId: headers.get('x-request-id') ?? '', uploadId }
}

/** Formats log lines as `service: message`. */
const formatLines = (lines: readonly LogLine[]): string[] =>
  lines.map(({ service, msg }) => `${service}: ${msg}`)

test('When a guest uploads a photo, then the logs of all services can be searched by request id and upload id', async () => {
  const { requestId, uploadId } = await uploadFile({ name: 'image.jpg', bytes: await uniquePhoto() })
  const lastQueues = ['media.upload-completed', 'uploads.media-processed', 'notifications.upload-completed']
  const lines = await eventually(() => {
    const found = findLines(`"requestId":"${requestId}"`)
    return lastQueues.every((queue) => found.some((line) => line.queue === queue)) && found
  }, 'the last lines')

  // The uploads service calls the events service if its copy lacks the new event.
  const messages = formatLines(lines).filter((line) => line !== 'events: request completed')
  expect(new Set(messages)).toEqual(
    new Set([
      'gateway: request completed',
      'uploads: file stored',
      'uploads: request completed',
      'media: upload processed',
      'media: message handled',
      'uploads: message handled',
      'notifications: message handled',
    ]),
  )
  const uploadLines = findLines(`"uploadId":"${uploadId}"`)
  expect(new Set(formatLines(uploadLines))).toEqual(
    new Set([
      'uploads: file stored',
      'media: upload processed',
      'media: message handled',
      'uploads: message handled',
      'notifications: message handled',
    ]),
  )
  for (const line of uploadLines) expect(line.requestId).toBe(requestId)
  for (const { msg, uploadId: id } of findLines(uploadId)) expect([msg, id]).toEqual([msg, uploadId])
})

test('When a file cannot be processed, then the log line has the reason, the request id and the upload id', async () => {
  const image = await readSample('gradient.png')
  const ids = await uploadFile({ name: 'half.png', bytes: image.subarray(0, 100_000) })
  const [line] = await eventually(() => {
    const found = findLines('cannot process file')
    return found.length > 0 && found
  })
  expect(line).toMatchObject({ service: 'media', reason: 'The photo is damaged.', ...ids })
})

test('When members sign in and guests upload, then no log line contains a password, a token or a signed link', async () => {
  const { api, event, organiser, admin, system } = harness
  const { email } = organiser.user
  const wrongPassword = randomBytes(9).toString('base64')
  const wrongToken = randomBytes(32).toString('base64url')
  expect((await call(api, login, { body: { email, password: wrongPassword } })).status).toBe(401)
  expect((await call(api, refresh, { body: { refreshToken: wrongToken } })).status).toBe(401)
  const { body: session } = await call(api, login, { body: { email, password: organiser.password } })
  const { body: refreshed } = await call(api, refresh, { body: { refreshToken: session.refreshToken } })
  const { headers } = await call(api, getEvent, { params: { eventId: event._id } })
  await uploadFile({ name: 'image.jpg', bytes: await uniquePhoto() })
  const [upload] = await listUploads(harness, event._id)
  const archive = await call(api, createEventArchive, {
    token: admin.token,
    params: { eventId: event._id },
    body: {},
  })
  const archiveUrl = new URL(archive.body.url as string)
  expect((await fetch(archiveUrl)).status).toBe(200)
  const params = { eventId: event._id }
  const wall = await call(api, createWall, { token: organiser.token, params })
  const wallKey = new URL(wall.body.url as string).hash.slice(1)
  await eventually(
    async () => (await call(api, listWall, { params, headers: { 'X-Wall-Key': wallKey } })).status === 200,
    'the key of the live wall',
  )
  const pin = randomBytes(6).toString('hex')
  const ofPinned = { params: { eventId: (await newEvent(api, admin, organiser))._id } }
  const changed = await call(api, updateEvent, {
    ...ofPinned,
    token: organiser.token,
    body: { settings: { pin } },
  })
  const { body: proved } = await call(api, createEventPass, { ...ofPinned, body: { pin } })
  const pass = String(proved.pass)
  const seen = await call(api, getEvent, { ...ofPinned, headers: { [EVENT_PASS_HEADER]: pass } })
  expect(seen.status).toBe(200)
  const secrets = [
    pin,
    pass,
    new URL(changed.body.event.uploadUrl as string).hash.slice('#key='.length),
    wallKey,
    archiveUrl.pathname.split('/')[3] ?? '',
    organiser.password,
    wrongPassword,
    wrongToken,
    ...[organiser, admin].flatMap(({ token, refreshToken }) => [token, refreshToken]),
    ...[session, refreshed].flatMap(
      ({ accessToken, refreshToken }) => [accessToken, refreshToken] as string[],
    ),
    headers.get('x-guest-token') ?? '',
    encodeURIComponent(new URL(upload?.url ?? '').searchParams.get('sig') ?? ''),
  ]
  expect(secrets.filter((secret) => secret.length < 10)).toEqual([])
  expect(system.log.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
})

test('When a service is unavailable, then the gateway logs the error with the request id', async () => {
  const { api, event, system } = harness
  const [events] = system.replicas('events')
  await events?.stop()
  const { status, headers } = await call(api, getEvent, { params: { eventId: event._id } })
  expect(status).toBe(503)
  const requestId = headers.get('x-request-id') ?? ''
  const lines = await eventually(() => {
    const found = findLines(`"requestId":"${requestId}"`)
    return found.length === 2 && found
  })
  expect(formatLines(lines)).toEqual([
    'gateway: The service is busy. Please try again in a moment.',
    'gateway: request completed',
  ])
  await events?.restart()
})
