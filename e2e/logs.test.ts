import { randomBytes } from 'node:crypto'
import { createUploads, getEvent, login, refresh } from '@confetti/contracts'
import { call, eventually, uniquePhoto, uploadForm, type FileToSend } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listUploads, startStand, whenProcessed, type Stand } from './stand.ts'

interface Line {
  service: string
  msg: string
  requestId?: string
  uploadId?: string
  queue?: string
}

let stand: Stand
beforeAll(async () => {
  stand = await startStand()
}, 120_000)
afterAll(() => stand.system.stop())

const linesWith = (text: string): Line[] =>
  stand.system.log.filter((line) => line.includes(text)).map((line) => JSON.parse(line) as Line)

const sendOne = async (file: FileToSend): Promise<{ requestId: string; uploadId: string }> => {
  const { api, event } = stand
  const body = uploadForm(event._id, 'Table 4', [file])
  const { headers, body: answer } = await call(api, createUploads, { body })
  const uploadId = answer.uploads[0]._id as string
  await whenProcessed(stand, uploadId)
  return { requestId: headers.get('x-request-id') ?? '', uploadId }
}

/** What each service said, as `service: words`, in the order in which it was said. */
const told = (lines: readonly Line[]): string[] => lines.map(({ service, msg }) => `${service}: ${msg}`)

test('When a guest sends a photo, then the request’s id finds its lines in all services, and the upload’s id those of the file', async () => {
  const { requestId, uploadId } = await sendOne({ name: 'image.jpg', bytes: await uniquePhoto() })
  const wayBack = (line: Line) => line.queue === 'uploads.media-processed'
  const lines = await eventually(() => {
    const found = linesWith(`"requestId":"${requestId}"`)
    return found.some(wayBack) && found
  }, 'the last line')

  // An event that is too new for the uploads service's copy is asked for.
  const said = told(lines).filter((line) => line !== 'events: answered')
  expect(new Set(said)).toEqual(
    new Set([
      'gateway: answered',
      'uploads: file kept',
      'uploads: answered',
      'media: processed',
      'media: handled',
      'uploads: handled',
    ]),
  )
  const aboutTheFile = linesWith(`"uploadId":"${uploadId}"`)
  expect(new Set(told(aboutTheFile))).toEqual(
    new Set(['uploads: file kept', 'media: processed', 'media: handled', 'uploads: handled']),
  )
  for (const line of aboutTheFile) expect(line.requestId).toBe(requestId)
  for (const { msg, uploadId: id } of linesWith(uploadId)) expect([msg, id]).toEqual([msg, uploadId])
})

test('When a file cannot be shown, then the line that says why names request and upload', async () => {
  const photo = await uniquePhoto('phone-jolla.jpg')
  const ids = await sendOne({ name: 'half.jpg', bytes: photo.subarray(0, 100_000) })
  const [line] = await eventually(() => {
    const found = linesWith('file not fit to show')
    return found.length > 0 && found
  })
  expect(line).toMatchObject({ service: 'media', reason: 'The photo is damaged.', ...ids })
})

test('When people sign in, come back, send and look, then no line has a password, a token or a signed link', async () => {
  const { api, event, organiser, admin, system } = stand
  const { email } = organiser.user
  const wrongPassword = randomBytes(9).toString('base64')
  const wrongToken = randomBytes(32).toString('base64url')
  expect((await call(api, login, { body: { email, password: wrongPassword } })).status).toBe(401)
  expect((await call(api, refresh, { body: { refreshToken: wrongToken } })).status).toBe(401)
  const { body: session } = await call(api, login, { body: { email, password: organiser.password } })
  const { body: renewed } = await call(api, refresh, { body: { refreshToken: session.refreshToken } })
  const { headers } = await call(api, getEvent, { params: { eventId: event._id } })
  await sendOne({ name: 'image.jpg', bytes: await uniquePhoto() })
  const [upload] = await listUploads(stand, event._id)
  const secrets = [
    organiser.password,
    wrongPassword,
    wrongToken,
    ...[organiser, admin].flatMap(({ token, refreshToken }) => [token, refreshToken]),
    ...[session, renewed].flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken] as string[]),
    headers.get('x-guest-token') ?? '',
    encodeURIComponent(new URL(upload?.url ?? '').searchParams.get('sig') ?? ''),
  ]
  expect(secrets.filter((secret) => secret.length < 10)).toEqual([])
  expect(system.log.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
})

test('When a service is away, then the line of the gateway that says so names the request', async () => {
  const { api, event, system } = stand
  const [events] = system.replicas('events')
  await events?.stop()
  const { status, headers } = await call(api, getEvent, { params: { eventId: event._id } })
  expect(status).toBe(503)
  const requestId = headers.get('x-request-id') ?? ''
  const lines = await eventually(() => {
    const found = linesWith(`"requestId":"${requestId}"`)
    return found.length === 2 && found
  })
  expect(told(lines)).toEqual([
    'gateway: The service is busy. Please try again in a moment.',
    'gateway: answered',
  ])
  await events?.restart()
})
