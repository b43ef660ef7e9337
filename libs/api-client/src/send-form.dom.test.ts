import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { eventPasses } from './event-passes.ts'
import { onLoading } from './loading.ts'
import { sendForm } from './send-form.ts'
import { saveTokens } from './token-storage.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

// The same CORS headers as the gateway's.
const cors = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers':
    'cache-control, pragma, expires, x-guest-token, x-event-pass, authorization',
  'Access-Control-Expose-Headers': 'X-Guest-Token, Retry-After',
}
const respond = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  response
    .writeHead(status, { ...cors, ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body))
}

const uploadResponse = { message: 'Media uploaded successfully.', uploads: [], rejected: [] }

let server: Server
let requests: { headers: IncomingMessage['headers']; body: string }[]
let handle: Handle

/** Reads the whole request before it calls `then`. */
const afterBody =
  (then: Handle): Handle =>
  (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')))
    request.on('end', () => {
      requests.push({ headers: request.headers, body })
      then(request, response)
    })
  }

beforeEach(async () => {
  localStorage.clear()
  requests = []
  server = createServer((request, response) => {
    if (request.method === 'OPTIONS') respond(response, 204, '')
    else handle(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})
afterEach(async () => {
  jest.restoreAllMocks()
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
})

const photo = (): FormData => {
  const form = new FormData()
  form.set('eventId', 'event-1')
  form.set('photoCredit', 'Table 4')
  form.set('media', new Blob(['x'.repeat(300_000)], { type: 'image/jpeg' }), 'IMG_1.jpg')
  return form
}

const send = ({
  stallTimeoutMs = 600_000,
  signal = new AbortController().signal,
}: { stallTimeoutMs?: number; signal?: AbortSignal } = {}) =>
  sendForm({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: '/api/uploads',
    form: photo(),
    onProgress: () => undefined,
    stallTimeoutMs,
    signal,
  })

// jsdom does not report upload progress: browser tests cover it.
test('When a guest sends a photo, then the server receives all of it, and the response is returned', async () => {
  handle = afterBody((_, response) => respond(response, 201, uploadResponse))
  await expect(send()).resolves.toEqual(uploadResponse)

  expect(requests[0]?.body).toContain('x'.repeat(300_000))
  expect(requests[0]?.body).toContain('Table 4')
  expect(requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; *boundary=/)
})

test('When a member is signed in, then the form has only the guest token', async () => {
  saveTokens({ accessToken: 'access-1', refreshToken: 'refresh-1' })
  handle = afterBody((_, response) => respond(response, 201, uploadResponse, { 'X-Guest-Token': 'guest-1' }))
  await send()
  await send()
  expect(requests.map(({ headers }) => headers['x-guest-token'])).toEqual([undefined, 'guest-1'])
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
})

test('When a guest has a pass for the event, then the form has it, and its refusal is known', async () => {
  eventPasses.store([{ eventId: 'event-1', pass: 'pass-1', expiresAt: '2099-01-01T00:00:00.000Z' }])
  handle = afterBody((_, response) =>
    respond(response, 404, {
      message: 'Please enter the PIN.',
      code: 'pin_required',
      details: { name: 'Party' },
    }),
  )
  await expect(send()).rejects.toMatchObject({ code: 'pin_required', event: { name: 'Party' } })
  expect(requests[0]?.headers['x-event-pass']).toBe('pass-1')
  expect(eventPasses.getRefusal('event-1')?.event).toEqual({ name: 'Party' })
})

test('When the server is busy, then the error has the wait that it asked for', async () => {
  handle = afterBody((_, response) =>
    respond(response, 503, { message: 'Please try again.', code: 'busy' }, { 'Retry-After': '3' }),
  )
  await expect(send()).rejects.toMatchObject({ status: 503, isRetryable: true, retryAfterMs: 3_000 })
})

test('When the server rejects the file, then the error has its message', async () => {
  handle = afterBody((_, response) => respond(response, 415, { message: 'This is no photo.', code: 'type' }))
  await expect(send()).rejects.toMatchObject({
    status: 415,
    isRetryable: false,
    message: 'This is no photo.',
  })
})

test('When a captive portal responds with 200, then it counts as a lost connection', async () => {
  handle = afterBody((_, response) => respond(response, 200, '<html>Accept our terms</html>'))
  await expect(send()).rejects.toMatchObject({ status: 0, isRetryable: true })
})

test('When the connection breaks, then the error is retryable', async () => {
  // jsdom logs the error.
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  handle = (request) => request.socket.destroy()
  await expect(send()).rejects.toMatchObject({ status: 0, isRetryable: true })
})

test('When the upload stalls, then it counts as a lost connection', async () => {
  handle = afterBody(() => undefined)
  await expect(send({ stallTimeoutMs: 300 })).rejects.toMatchObject({ status: 0, isRetryable: true })
})

test('When the signal is aborted, then it rejects with the reason and closes the connection', async () => {
  const controller = new AbortController()
  const closed = new Promise((resolve) => {
    handle = (request) => {
      request.on('close', resolve).resume()
      controller.abort(new Error('aborted'))
    }
  })
  await expect(send({ signal: controller.signal })).rejects.toThrow('aborted')
  await closed
})

test('When the signal is aborted already, then nothing is sent', async () => {
  handle = afterBody((_, response) => respond(response, 201, uploadResponse))
  await expect(send({ signal: AbortSignal.abort(new Error('aborted')) })).rejects.toThrow('aborted')
  expect(requests).toEqual([])
})

test('When a form is being sent, then the loading overlay is not shown', async () => {
  handle = afterBody((_, response) => respond(response, 201, uploadResponse))
  const counts: number[] = []
  const unsubscribe = onLoading((inFlight) => counts.push(inFlight))
  await send()
  unsubscribe()
  expect(counts).toEqual([])
})
