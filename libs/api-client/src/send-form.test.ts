/** @jest-environment jsdom */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { onLoading } from './loading.ts'
import { sendForm } from './send-form.ts'
import { keepTokens } from './stored-tokens.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

// Allows what the gateway allows to another origin.
const cors = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': 'cache-control, pragma, expires, x-guest-token, authorization',
  'Access-Control-Expose-Headers': 'X-Guest-Token, Retry-After',
}
const answer = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  response
    .writeHead(status, { ...cors, ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body))
}

const sent = { message: 'Media uploaded successfully.', uploads: [], rejected: [] }

let server: Server
let posts: { headers: IncomingMessage['headers']; body: string }[]
let handle: Handle

/** Reads the whole request before `then` answers. */
const received =
  (then: Handle): Handle =>
  (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')))
    request.on('end', () => {
      posts.push({ headers: request.headers, body })
      then(request, response)
    })
  }

beforeEach(async () => {
  localStorage.clear()
  posts = []
  server = createServer((request, response) => {
    if (request.method === 'OPTIONS') answer(response, 204, '')
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
  stallLimitMs = 600_000,
  signal = new AbortController().signal,
}: { stallLimitMs?: number; signal?: AbortSignal } = {}) =>
  sendForm({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: '/api/uploads',
    form: photo(),
    onProgress: () => undefined,
    stallLimitMs,
    signal,
  })

// Progress is for a real browser to show: jsdom does not tell how much has left.
test('When a guest sends a photo, then it arrives whole, and the answer is there', async () => {
  handle = received((_, response) => answer(response, 201, sent))
  await expect(send()).resolves.toEqual(sent)

  expect(posts[0]?.body).toContain('x'.repeat(300_000))
  expect(posts[0]?.body).toContain('Table 4')
  expect(posts[0]?.headers['content-type']).toMatch(/^multipart\/form-data; *boundary=/)
})

test('When a member is signed in, then a guest form carries the guest token and no other', async () => {
  keepTokens({ accessToken: 'access-1', refreshToken: 'refresh-1' })
  handle = received((_, response) => answer(response, 201, sent, { 'X-Guest-Token': 'guest-1' }))
  await send()
  await send()
  expect(posts.map(({ headers }) => headers['x-guest-token'])).toEqual([undefined, 'guest-1'])
  expect(posts.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
})

test('When the server is busy, then the error knows how long to wait', async () => {
  handle = received((_, response) =>
    answer(response, 503, { message: 'Please try again.', code: 'busy' }, { 'Retry-After': '3' }),
  )
  await expect(send()).rejects.toMatchObject({ status: 503, passing: true, retryAfterMs: 3_000 })
})

test('When the server refuses the file, then its words are the error', async () => {
  handle = received((_, response) => answer(response, 415, { message: 'This is no photo.', code: 'type' }))
  await expect(send()).rejects.toMatchObject({ status: 415, passing: false, message: 'This is no photo.' })
})

test('When a captive portal says 200, then nothing was sent', async () => {
  handle = received((_, response) => answer(response, 200, '<html>Accept our terms</html>'))
  await expect(send()).rejects.toMatchObject({ status: 0, passing: true })
})

test('When the connection breaks, then it may be tried again', async () => {
  // jsdom would write it down.
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  handle = (request) => request.socket.destroy()
  await expect(send()).rejects.toMatchObject({ status: 0, passing: true })
})

test('When nothing moves any more, then the connection counts as lost', async () => {
  handle = received(() => undefined)
  await expect(send({ stallLimitMs: 300 })).rejects.toMatchObject({ status: 0, passing: true })
})

test('When the guest stops it, then it rejects with the reason and the connection is free', async () => {
  const stopping = new AbortController()
  const closed = new Promise((resolve) => {
    handle = (request) => {
      request.on('close', resolve).resume()
      stopping.abort(new Error('stopped'))
    }
  })
  await expect(send({ signal: stopping.signal })).rejects.toThrow('stopped')
  await closed
})

test('When it is stopped before it begins, then nothing is sent', async () => {
  handle = received((_, response) => answer(response, 201, sent))
  await expect(send({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped')
  expect(posts).toEqual([])
})

test('When a form is on its way, then the loading overlay stays away', async () => {
  handle = received((_, response) => answer(response, 201, sent))
  const counts: number[] = []
  const stop = onLoading((underWay) => counts.push(underWay))
  await send()
  stop()
  expect(counts).toEqual([])
})
