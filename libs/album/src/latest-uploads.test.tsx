import type { ReactNode } from 'react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, renderHook } from '@testing-library/react'
import { ApiError } from '@confetti/api-client'
import type { Upload } from '@confetti/contracts'
import { uploadFixture, uploadFixtures } from '../test/upload-fixture.ts'
import type { ListPage } from './load-uploads.ts'
import { useLatestUploads } from './use-polled-query.ts'

const COUNT = 8
const SOME_POLLS_MS = 6_000
const MINUTE_MS = 60_000

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  cleanup()
  jest.useRealTimers()
})

const pass = (ms: number): Promise<void> => act(() => jest.advanceTimersByTimeAsync(ms))

const renderLatest = (uploads: Upload[]) => {
  const server = {
    uploads,
    queries: [] as Parameters<ListPage>[0][],
    signals: [] as AbortSignal[],
    unchanged: 0,
  }
  const listPage: ListPage = async (query, { signal, headers, onHeaders }) => {
    server.queries.push(query)
    server.signals.push(signal)
    await new Promise((resolve) => setTimeout(resolve, 10))
    const etag = String(server.uploads.length)
    if (headers?.['If-None-Match'] === etag) {
      server.unchanged += 1
      throw new ApiError(304, { code: 'unknown', message: 'Not modified' })
    }
    onHeaders?.(new Headers({ ETag: etag }))
    const total = { files: server.uploads.length, guests: 2, bytes: 1_000 }
    return { uploads: server.uploads.slice(0, query.limit), nextCursor: 'next', total }
  }
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const useLatest = ({ enabled }: { enabled: boolean }) =>
    useLatestUploads('party', { listPage, count: COUNT, enabled })
  const hook = renderHook(useLatest, { initialProps: { enabled: true }, wrapper })
  return { ...hook, server, current: () => hook.result.current }
}

test('When an event has many uploads, then each poll loads the latest only, and their total', async () => {
  const { server, current } = renderLatest(uploadFixtures(900))
  expect(current().status).toBe('pending')
  await pass(MINUTE_MS)
  expect(current()).toMatchObject({ status: 'success', total: { files: 900 } })
  expect(current().uploads).toEqual(uploadFixtures(900).slice(0, COUNT))
  expect(server.queries.length).toBeGreaterThan(5)
  expect(server.queries).toEqual(server.queries.map(() => ({ limit: COUNT })))
  expect(server.unchanged).toBe(server.queries.length - 1)
})

test('When photos arrive, get ready or are deleted, then photos and total change within seconds', async () => {
  const { server, current } = renderLatest(
    uploadFixtures(30).map((each) => ({ ...each, status: 'processing' })),
  )
  await pass(SOME_POLLS_MS)
  server.uploads = uploadFixtures(31)
  await pass(SOME_POLLS_MS)
  expect(current().uploads).toEqual(uploadFixtures(31).slice(0, COUNT))
  expect([...current().arrivedIds]).toEqual([uploadFixture(31)._id])
  server.uploads = uploadFixtures(31).slice(0, 20)
  await pass(SOME_POLLS_MS)
  expect(current().total?.files).toBe(20)
})

test('When polling is disabled, then the request is aborted and what is shown stays, until it is enabled again', async () => {
  const { server, current, rerender } = renderLatest(uploadFixtures(30))
  await pass(1)
  rerender({ enabled: false })
  expect(server.signals[0]?.aborted).toBe(true)
  await pass(MINUTE_MS)
  expect(server.queries).toHaveLength(1)

  rerender({ enabled: true })
  await pass(SOME_POLLS_MS)
  expect(current().uploads).toHaveLength(COUNT)
  rerender({ enabled: false })
  const before = server.queries.length
  await pass(MINUTE_MS)
  expect(server.queries).toHaveLength(before)
  expect(current().uploads).toHaveLength(COUNT)
})
