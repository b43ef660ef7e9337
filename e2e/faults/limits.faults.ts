import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { createUploads, errorBody, MB } from '@confetti/contracts'
import { withHangTimeout, readSample } from '@confetti/test-kit'
import { buildUploadForm } from '@confetti/test-kit/upload-form'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { listUploads } from '../harness.ts'
import type { CallResult } from './call-result.ts'
import { startFaultHarness, type FaultHarness } from './fault-harness.ts'
import { createGuestFile, type GuestFile } from './guest-file.ts'
import { connectRawClient } from './raw-client.ts'
import { runScenario } from './run-scenario.ts'
import { findUndeliveredMessages } from './undelivered-messages.ts'
import { waitForMemoryRelease, waitForSweep } from './wait-for-cleanup.ts'

// 500 MB in production.
const MAX_FILE_BYTES = 8 * MB
const TOO_LARGE = { status: 413, message: 'The file is larger than 8 MB.' }

let harness: FaultHarness

beforeAll(async () => {
  const limits = { MAX_FILE_BYTES: String(MAX_FILE_BYTES) }
  harness = await startFaultHarness({
    environment: {
      gateway: limits,
      uploads: {
        ...limits,
        MAX_UPLOAD_DURATION_MS: '10000',
        ORPHAN_AGE_MS: '15000',
        ORPHAN_QUARANTINE_MS: '0',
        SWEEP_INTERVAL_MS: '3000',
      },
    },
  })
}, 180_000)
afterAll(() => harness.stop(), 60_000)

/** Creates a real video of exactly this size. */
const createVideo = async (bytes: number): Promise<GuestFile> => {
  const clip = await readSample('video.mp4')
  const filler = crypto.getRandomValues(Buffer.alloc(16))
  return createGuestFile('video.mp4', () => [clip, filler, Buffer.alloc(bytes - clip.length - filler.length)])
}

interface JsonResponse {
  status: number
  body: unknown
  ms: number
}

/** Sends a file without a Content-Length. */
const sendChunked = (eventId: string, credit: string, file: GuestFile): Promise<JsonResponse> =>
  withHangTimeout(
    `${file.name} of ${credit}`,
    (signal) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now()
        const form = buildUploadForm({ eventId, credit, name: file.name })
        const clientRequest = request(`${harness.api}/api/uploads`, {
          method: 'POST',
          signal,
          headers: { 'Content-Type': form.contentType, 'Transfer-Encoding': 'chunked' },
        })
        clientRequest.on('error', reject).on('response', (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              body: JSON.parse(text) as unknown,
              ms: performance.now() - startedAt,
            }),
          )
        })
        clientRequest.write(form.head)
        for (const chunk of file.chunks() as Iterable<Buffer>) clientRequest.write(chunk)
        clientRequest.end(form.end)
      }),
  )

/** Expects that memory is released, and that only this many uploads are listed or stored. */
const expectNoLeftovers = async (eventId: string, uploadCount: number): Promise<void> => {
  await waitForMemoryRelease(harness)
  expect(await listUploads(harness, eventId)).toHaveLength(uploadCount)
  await waitForSweep(harness)
}

test('When a file has exactly the maximum size, then it is stored; with one byte more, it is rejected', () =>
  runScenario(harness, async ({ event, guest, uploadLog }) => {
    expect(await guest().send(await createVideo(MAX_FILE_BYTES))).toMatchObject({ status: 201 })
    expect(await guest().send(await createVideo(MAX_FILE_BYTES + 1))).toMatchObject(TOO_LARGE)
    await expectNoLeftovers(event._id, uploadLog.acknowledgedCount())
  }))

test('When a form has no Content-Length, then the same maximum size applies', () =>
  runScenario(harness, async ({ event, uploadLog, recordResult }) => {
    const credit = 'Table 1'
    const file = await createVideo(MAX_FILE_BYTES)
    const { sha256, size, name: originalName } = file
    const stored = await sendChunked(event._id, credit, file)
    expect(stored.status).toBe(201)
    recordResult({ connectionLost: false, ms: stored.ms, status: 201, code: '', message: '' })
    const [upload] = createUploads.responses[201].parse(stored.body).uploads
    uploadLog.recordAcknowledged({
      uploadId: upload?._id ?? '',
      eventId: event._id,
      credit,
      originalName,
      size,
      sha256,
    })
    const rejected = await sendChunked(event._id, credit, await createVideo(MAX_FILE_BYTES + 1))
    const { code, message } = errorBody.parse(rejected.body)
    recordResult({ connectionLost: false, ms: rejected.ms, status: rejected.status, code, message })
    expect({ status: rejected.status, message }).toEqual(TOO_LARGE)
    await expectNoLeftovers(event._id, uploadLog.acknowledgedCount())
  }))

test('When the Content-Length of a form exceeds the maximum of all its files together, then it is rejected before it is sent', () =>
  runScenario(harness, async ({ event, recordResult }) => {
    const file = { ...(await createVideo(MB)), size: 50 * MAX_FILE_BYTES + 2 * MB }
    const client = await connectRawClient({ api: harness.api, eventId: event._id, credit: 'Table 1', file })
    const result = await client.waitForResult()
    client.disconnect()
    recordResult(result)
    expect(result).toMatchObject({
      status: 413,
      message: expect.stringContaining('at once. Please send fewer'),
    })
    await expectNoLeftovers(event._id, 0)
  }))

/** Opens a connection and sends the start of a request. Resolves with what was received when the connection has ended. */
const openRequest = async (head: string) => {
  const { hostname, port } = new URL(harness.api)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  const startedAt = performance.now()
  let received = ''
  const closed = new Promise<void>((resolve) => socket.on('close', resolve))
  const answered = new Promise<void>((resolve) =>
    socket.on('data', (chunk) => {
      received += chunk.toString()
      if (/\r\n\r\n.*\}/s.test(received)) resolve()
    }),
  )
  await once(socket, 'connect')
  socket.write(head)
  const waitFor = (what: string, event: Promise<void>): Promise<CallResult> =>
    withHangTimeout(what, async (signal) => {
      await Promise.race([event, once(signal, 'abort').then(() => signal.throwIfAborted())])
      const { code, message } = errorBody.parse(JSON.parse(received.split('\r\n\r\n')[1] ?? ''))
      const ms = performance.now() - startedAt
      return { connectionLost: false, ms, status: Number(received.split(' ')[1]), code, message }
    }).finally(() => socket.destroy())
  return {
    socket,
    /** Resolves when a response has arrived. */
    waitForResponse: (what: string) => waitFor(what, answered),
    /** Resolves when a response has arrived and the connection has ended. */
    waitForEnd: (what: string) => waitFor(what, closed),
  }
}

const SIGN_IN = 'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

test('When the body of a sign-in arrives steadily but never ends, then it gets 408, and its connection ends', () =>
  runScenario(harness, async ({ recordResult }) => {
    const { socket, waitForEnd } = await openRequest(`${SIGN_IN}Content-Length: 1000\r\n\r\n`)
    const sending = setInterval(() => socket.write(' '), 500)
    const result = await waitForEnd('an endless sign-in').finally(() => clearInterval(sending))
    recordResult(result, 'an endless sign-in', 30_000)
    expect(result).toMatchObject({ status: 408, code: 'timeout' })
  }))

test('When the body of a sign-in has no length and is too large, then it gets 413, and its connection ends', () =>
  runScenario(harness, async ({ recordResult }) => {
    const { socket, waitForEnd } = await openRequest(`${SIGN_IN}Transfer-Encoding: chunked\r\n\r\n`)
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, ' '), Buffer.from('\r\n')])
    const send = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', send)
    send()
    const result = await waitForEnd('a sign-in that is too large')
    recordResult(result, 'a sign-in that is too large', 30_000)
    expect(result).toMatchObject({ status: 413, code: 'too_large' })
  }))

test('When more than 1 MB of a file arrives before the event, then the form is rejected while it is being sent', () =>
  runScenario(harness, async ({ event, recordResult }) => {
    const { socket, waitForResponse } = await openRequest(
      [
        'POST /api/uploads HTTP/1.1',
        'Host: localhost',
        'Content-Type: multipart/form-data; boundary=x',
        `Content-Length: ${MAX_FILE_BYTES}`,
        '',
        '--x',
        'Content-Disposition: form-data; name="media"; filename="a.mp4"',
        '',
        '',
      ].join('\r\n'),
    )
    for (const chunk of (await createVideo(2 * MB)).chunks() as Iterable<Buffer>) socket.write(chunk)
    const result = await waitForResponse('a form without an event')
    recordResult(result, 'a form without an event')
    expect(result).toMatchObject({ status: 400, message: 'Event ID is missing.' })
    await expectNoLeftovers(event._id, 0)
  }))

test('When all scenarios have ended, then no outbox is pending and no message is dead-lettered', async () => {
  expect(await findUndeliveredMessages(harness)).toEqual([])
}, 120_000)
