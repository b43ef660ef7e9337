import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { renderHook } from '@testing-library/react'
import { act } from 'react'
import { useGallery } from './use-gallery.ts'

let requests: number
let uploads: object[]
let visibility: DocumentVisibilityState

beforeEach(() => {
  jest.useFakeTimers()
  requests = 0
  uploads = []
  visibility = 'visible'
  jest.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  globalThis.fetch = () => {
    requests += 1
    return Promise.resolve(new Response(JSON.stringify({ version: String(requests), uploads, removed: [] })))
  }
})
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
const countRequests = async (ms: number): Promise<number> => {
  const before = requests
  await pass(ms)
  return requests - before
}
const show = (next: DocumentVisibilityState): void => {
  visibility = next
  document.dispatchEvent(new Event('visibilitychange'))
}

test('When nothing has changed for half a minute, then the gallery polls every 10 s, and sooner after a change', async () => {
  const { result } = renderHook(() => useGallery('0123456789abcdef01234567'))
  expect(await countRequests(20_000)).toBeGreaterThanOrEqual(8)
  await pass(25_000)
  expect(await countRequests(30_000)).toBe(3)
  uploads = [
    {
      _id: '0123456789abcdef01234568',
      uploadedAt: '2027-06-12T12:00:00.000Z',
      thumbnailUrl: 'http://blob.test/thumbnail',
    },
  ]
  await pass(10_000)
  expect(result.current.state.newCount).toBe(1)
  expect(await countRequests(20_000)).toBeGreaterThanOrEqual(7)
})

test('When the page is looked at again, then the gallery asks at once', async () => {
  renderHook(() => useGallery('0123456789abcdef01234567'))
  await pass(45_000)
  show('hidden')
  expect(await countRequests(3_000)).toBeLessThanOrEqual(1)
  await pass(30_000)
  expect(await countRequests(60_000)).toBe(0)
  show('visible')
  expect(await countRequests(1)).toBe(1)
  await pass(60_000)
  await pass(4_000)
  show('hidden')
  show('visible')
  expect(await countRequests(1)).toBe(1)
})
