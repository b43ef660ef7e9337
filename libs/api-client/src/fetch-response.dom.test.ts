import { expect, jest, test } from '@jest/globals'
import { checkDownload } from './fetch-response.ts'

const LINK = 'https://api.example.test/api/archives/token/Event_party.zip'
const { signal } = new AbortController()

const stubFetch = (status: number, body = '') => {
  const cancel = jest.fn(() => Promise.resolve())
  const text = jest.fn(() => Promise.resolve(body))
  const fetch = jest.fn<typeof globalThis.fetch>().mockResolvedValue({
    ok: status < 300,
    status,
    headers: new Map([['Retry-After', '10']]),
    text,
    body: { cancel },
  } as unknown as Response)
  globalThis.fetch = fetch
  return { fetch, cancel, text }
}

test('When the server sends the first byte, then the download is possible, and no cache answered', async () => {
  const { fetch } = stubFetch(206, 'P')
  await checkDownload(LINK, signal)
  expect(fetch.mock.calls).toEqual([[LINK, { headers: { Range: 'bytes=0-0' }, cache: 'no-store', signal }]])
})

test('When the server ignores the range, then the rest of the file is not downloaded', async () => {
  const { cancel, text } = stubFetch(200)
  await checkDownload(LINK, signal)
  expect(cancel).toHaveBeenCalledTimes(1)
  expect(text).not.toHaveBeenCalled()
})

test('When the server refuses the download, then the check rejects with its error', async () => {
  stubFetch(503, JSON.stringify({ code: 'unavailable', message: 'Too many downloads are running.' }))
  await expect(checkDownload(LINK, signal)).rejects.toMatchObject({
    status: 503,
    code: 'unavailable',
    message: 'Too many downloads are running.',
    retryAfterMs: 10_000,
  })
})

test('When the server does not respond, then the check rejects with a network error', async () => {
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(checkDownload(LINK, signal)).rejects.toMatchObject({ status: 0, code: 'network_error' })
})

test('When the check is aborted, then it rejects with the reason', async () => {
  const controller = new AbortController()
  const reason = new Error('left the page')
  globalThis.fetch = () => {
    controller.abort(reason)
    return Promise.reject(new DOMException('aborted', 'AbortError'))
  }
  await expect(checkDownload(LINK, controller.signal)).rejects.toBe(reason)
})
