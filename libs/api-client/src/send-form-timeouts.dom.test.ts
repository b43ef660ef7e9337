import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { sendForm } from './send-form.ts'

const STALL_TIMEOUT_MS = 45_000
const RESPONSE_TIMEOUT_MS = 180_000

let request: FakeRequest

class FakeRequest {
  upload: { onprogress?: (event: object) => void; onload?: () => void } = {}
  status = 0
  responseText = ''
  url = ''
  aborted = false
  onload?: () => void
  onabort?: () => void
  onloadend?: () => void
  constructor() {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the test responds to the request.
    request = this
  }
  open(_method: string, url: string): void {
    this.url = url
  }
  setRequestHeader = jest.fn()
  send = jest.fn()
  getResponseHeader = () => null
  abort(): void {
    this.aborted = true
    this.onabort?.()
    this.onloadend?.()
  }
  respond(status: number, text: string): void {
    this.status = status
    this.responseText = text
    this.onload?.()
    this.onloadend?.()
  }
}

const startUpload = (timestamp?: number) =>
  sendForm({
    baseUrl: 'http://localhost:3001',
    path: '/api/uploads',
    form: new FormData(),
    onProgress: () => undefined,
    stallTimeoutMs: STALL_TIMEOUT_MS,
    responseTimeoutMs: RESPONSE_TIMEOUT_MS,
    ...(timestamp !== undefined && { timestamp }),
    signal: new AbortController().signal,
  })

beforeEach(() => {
  jest.useFakeTimers()
  Object.assign(globalThis, { XMLHttpRequest: FakeRequest })
})
afterEach(() => {
  jest.useRealTimers()
})

test('When the upload makes progress, then it does not time out; when it stalls, then it does', async () => {
  const upload = startUpload()
  const failing = expect(upload).rejects.toMatchObject({ status: 0, isRetryable: true })
  for (let step = 1; step <= 10; step += 1) {
    jest.advanceTimersByTime(STALL_TIMEOUT_MS - 1)
    request.upload.onprogress?.({ loaded: step, total: 100 })
  }
  expect(request.aborted).toBe(false)
  jest.advanceTimersByTime(STALL_TIMEOUT_MS)
  expect(request.aborted).toBe(true)
  await failing
})

test('When all bytes are sent, then the response has a longer timeout', async () => {
  const failing = expect(startUpload()).rejects.toMatchObject({ status: 0 })
  request.upload.onprogress?.({ loaded: 100, total: 100 })
  request.upload.onload?.()
  jest.advanceTimersByTime(RESPONSE_TIMEOUT_MS - 1)
  expect(request.aborted).toBe(false)
  jest.advanceTimersByTime(1)
  expect(request.aborted).toBe(true)
  await failing
})

test('When a timestamp is given, then the URL has it', async () => {
  const upload = startUpload(42)
  expect(request.url).toBe('http://localhost:3001/api/uploads?_ts=42')
  request.respond(201, '{"uploads":[],"rejected":[]}')
  await expect(upload).resolves.toEqual({ uploads: [], rejected: [] })
})
