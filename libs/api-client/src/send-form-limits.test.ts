/** @jest-environment jsdom */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { sendForm } from './send-form.ts'

const STALL_MS = 45_000
const ANSWER_MS = 180_000

let request: FakeRequest

class FakeRequest {
  upload: { onprogress?: (event: object) => void; onload?: () => void } = {}
  status = 0
  responseText = ''
  address = ''
  aborted = false
  onload?: () => void
  onabort?: () => void
  onloadend?: () => void
  constructor() {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the test speaks for the network.
    request = this
  }
  open(_method: string, address: string): void {
    this.address = address
  }
  setRequestHeader = jest.fn()
  send = jest.fn()
  getResponseHeader = () => null
  abort(): void {
    this.aborted = true
    this.onabort?.()
    this.onloadend?.()
  }
  answer(status: number, text: string): void {
    this.status = status
    this.responseText = text
    this.onload?.()
    this.onloadend?.()
  }
}

const start = (stamp?: number) =>
  sendForm({
    baseUrl: 'http://localhost:3001',
    path: '/api/uploads',
    form: new FormData(),
    onProgress: () => undefined,
    stallLimitMs: STALL_MS,
    answerLimitMs: ANSWER_MS,
    ...(stamp !== undefined && { stamp }),
    signal: new AbortController().signal,
  })

beforeEach(() => {
  jest.useFakeTimers()
  Object.assign(globalThis, { XMLHttpRequest: FakeRequest })
})
afterEach(() => {
  jest.useRealTimers()
})

test('When bytes keep leaving, then it never counts as lost; when they stop, it does', async () => {
  const sent = start()
  const lost = expect(sent).rejects.toMatchObject({ status: 0, passing: true })
  for (let step = 1; step <= 10; step += 1) {
    jest.advanceTimersByTime(STALL_MS - 1)
    request.upload.onprogress?.({ loaded: step, total: 100 })
  }
  expect(request.aborted).toBe(false)
  jest.advanceTimersByTime(STALL_MS)
  expect(request.aborted).toBe(true)
  await lost
})

test('When all bytes have left, then the answer may take longer, but not for ever', async () => {
  const lost = expect(start()).rejects.toMatchObject({ status: 0 })
  request.upload.onprogress?.({ loaded: 100, total: 100 })
  request.upload.onload?.()
  jest.advanceTimersByTime(ANSWER_MS - 1)
  expect(request.aborted).toBe(false)
  jest.advanceTimersByTime(1)
  expect(request.aborted).toBe(true)
  await lost
})

test('When a stamp is given, then the address carries it', async () => {
  const sent = start(42)
  expect(request.address).toBe('http://localhost:3001/api/uploads?_ts=42')
  request.answer(201, '{"uploads":[],"rejected":[]}')
  await expect(sent).resolves.toEqual({ uploads: [], rejected: [] })
})
